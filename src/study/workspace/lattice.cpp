#include "lattice.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ulna::reach {

namespace {

Coordinates minus(const Coordinates& a, const Coordinates& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Coordinates across(const Coordinates& a, const Coordinates& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
double along(const Coordinates& a, const Coordinates& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/// The orders in which a way along the edges of a cell goes from its lowest corner to its highest: one for each
/// simplex.
constexpr std::array<std::array<int, 3>, 6> orders{{{0, 1, 2}, {1, 0, 2}, {0, 2, 1}, {2, 0, 1}, {1, 2, 0}, {2, 1, 0}}};

}  // namespace

/// Its corners, those that are in first.
struct Lattice::Simplex {
  std::array<std::size_t, 4> corner{};
  int inside = 0;
};

Lattice::Lattice(const LatticeBox& box, int along) : box_(box) {
  double longest = 0.0;
  for (int k = 0; k < box.dimensions; ++k) longest = std::max(longest, box.high[k] - box.low[k]);
  edge_ = longest / along;
  std::size_t count = 1;
  for (int k = 0; k < 3; ++k) {
    cells_[k] =
        k < box.dimensions ? std::max(1, static_cast<int>(std::ceil((box.high[k] - box.low[k]) / edge_ - 1e-9))) : 0;
    count *= static_cast<std::size_t>(cells_[k] + 1);
  }
  state.assign(count, unknown);
}

std::array<int, 3> Lattice::index(std::size_t v) const {
  const auto x = static_cast<std::size_t>(cells_[0] + 1), y = static_cast<std::size_t>(cells_[1] + 1);
  return {static_cast<int>(v % x), static_cast<int>(v / x % y), static_cast<int>(v / (x * y))};
}

std::size_t Lattice::vertex(const std::array<int, 3>& at) const {
  const auto x = static_cast<std::size_t>(cells_[0] + 1), y = static_cast<std::size_t>(cells_[1] + 1);
  return static_cast<std::size_t>(at[0]) + x * (static_cast<std::size_t>(at[1]) + y * static_cast<std::size_t>(at[2]));
}

bool Lattice::is_cell(const std::array<int, 3>& at) const {
  for (int k = 0; k < box_.dimensions; ++k)
    if (at[k] < 0 || at[k] >= cells_[k]) return false;
  return true;
}

Coordinates Lattice::place(std::size_t v) const {
  const std::array<int, 3> at = index(v);
  return {box_.low[0] + at[0] * edge_, box_.low[1] + at[1] * edge_, box_.low[2] + at[2] * edge_};
}

std::size_t Lattice::cell_of(const Coordinates& at) const {
  std::array<int, 3> cell{};
  for (int k = 0; k < box_.dimensions; ++k)
    cell[k] = std::clamp(static_cast<int>(std::floor((at[k] - box_.low[k]) / edge_)), 0, cells_[k] - 1);
  return vertex(cell);
}

bool Lattice::is_in_near(const Coordinates& at) const {
  std::array<int, 3> nearest{};
  for (int k = 0; k < box_.dimensions; ++k)
    nearest[k] = std::clamp(static_cast<int>(std::lround((at[k] - box_.low[k]) / edge_)), 0, cells_[k]);
  return state[vertex(nearest)] == in;
}

bool Lattice::at_rim(std::size_t v) const {
  const std::array<int, 3> at = index(v);
  for (int k = 0; k < box_.dimensions; ++k)
    if ((at[k] == 0 && !(box_.revolved && k == 0)) || at[k] == cells_[k]) return true;
  return false;
}

Lattice Lattice::finer(const std::vector<char>& touched) const {
  LatticeBox box = box_;  // of whole cells, so that every second vertex is one of this lattice
  for (int k = 0; k < box_.dimensions; ++k) box.high[k] = box.low[k] + cells_[k] * edge_;
  Lattice fine(box, 2 * *std::max_element(cells_.begin(), cells_.end()));
  const int corners = 1 << box_.dimensions;
  std::vector<char> mixed(size(), 0);
  for (std::size_t c = 0; c < size(); ++c) {
    const std::array<int, 3> at = index(c);
    if (!is_cell(at)) continue;
    int inside = 0;
    for (int m = 0; m < corners; ++m)
      inside += state[vertex({at[0] + (m & 1), at[1] + (m >> 1 & 1), at[2] + (m >> 2)})];
    mixed[c] = inside == 0 ? touched[c] != 0 : inside != corners;
  }
  for (std::size_t c = 0; c < size(); ++c) {
    const std::array<int, 3> at = index(c);
    if (!is_cell(at)) continue;
    bool near = false;
    for (int m = 0; m < (box_.dimensions == 3 ? 27 : 9) && !near; ++m) {
      const std::array<int, 3> beside{at[0] + m % 3 - 1, at[1] + m / 3 % 3 - 1,
                                      box_.dimensions == 3 ? at[2] + m / 9 - 1 : 0};
      near = is_cell(beside) && mixed[vertex(beside)] != 0;
    }
    if (near) continue;
    for (int m = 0; m < (box_.dimensions == 3 ? 27 : 9); ++m)
      fine.state[fine.vertex({2 * at[0] + m % 3, 2 * at[1] + m / 3 % 3, 2 * at[2] + m / 9})] = state[c];
  }
  for (std::size_t v = 0; v < size(); ++v) fine.state[fine.same_vertex(*this, v)] = state[v];
  return fine;
}

std::size_t Lattice::same_vertex(const Lattice& wider, std::size_t v) const {
  const std::array<int, 3> at = wider.index(v);
  return vertex({2 * at[0], 2 * at[1], 2 * at[2]});
}

std::vector<Lattice::Crossing> Lattice::crossings() const {
  std::vector<Crossing> list;
  for (std::size_t v = 0; v < size(); ++v) {
    const std::array<int, 3> at = index(v);
    for (int m = 1; m < 1 << box_.dimensions; ++m) {
      const std::array<int, 3> to{at[0] + (m & 1), at[1] + (m >> 1 & 1), at[2] + (m >> 2)};
      if (to[0] > cells_[0] || to[1] > cells_[1] || to[2] > cells_[2]) continue;
      const std::size_t w = vertex(to);
      if (state[v] == state[w]) continue;
      list.push_back(state[v] == in ? Crossing{v, w} : Crossing{w, v});
    }
  }
  return list;
}

void Lattice::set_crossing(const Crossing& crossing, double part) {
  crossings_[static_cast<std::uint64_t>(crossing.from) << 32U | crossing.to] = part;
}

Coordinates Lattice::cut(const Simplex& simplex, int inside, int outside) const {
  const std::size_t from = simplex.corner[static_cast<std::size_t>(inside)];
  const std::size_t to = simplex.corner[static_cast<std::size_t>(outside)];
  const double part = crossings_.at(static_cast<std::uint64_t>(from) << 32U | to);
  const Coordinates a = place(from), d = minus(place(to), a);
  return {a[0] + part * d[0], a[1] + part * d[1], a[2] + part * d[2]};
}

template <class See>
void Lattice::each_simplex(std::size_t cell, const See& see) const {
  const int d = box_.dimensions;
  for (int k = 0; k < (d == 3 ? 6 : 2); ++k) {
    std::array<int, 3> at = index(cell);
    std::array<std::size_t, 4> way{vertex(at)};
    for (int step = 0; step < d; ++step) {
      ++at[static_cast<std::size_t>(orders[static_cast<std::size_t>(k)][static_cast<std::size_t>(step)])];
      way[static_cast<std::size_t>(step) + 1] = vertex(at);
    }
    Simplex simplex{way, 0};
    const auto middle = std::stable_partition(simplex.corner.begin(), simplex.corner.begin() + d + 1,
                                              [&](std::size_t v) { return state[v] == in; });
    simplex.inside = static_cast<int>(middle - simplex.corner.begin());
    see(simplex);
  }
}

/// Of a simplex: its first d + 1 corners.
double Lattice::content(const std::array<Coordinates, 4>& p) const {
  const Coordinates a = minus(p[1], p[0]), b = minus(p[2], p[0]);
  if (box_.dimensions == 3) return std::abs(along(across(a, b), minus(p[3], p[0]))) / 6.0;
  const double area = 0.5 * std::abs(a[0] * b[1] - a[1] * b[0]);
  return box_.revolved ? 2.0 * std::numbers::pi * area * (p[0][0] + p[1][0] + p[2][0]) / 3.0 : area;
}

double Lattice::inside_of(const Simplex& s) const {
  const int d = box_.dimensions;
  if (s.inside == 0) return 0.0;
  const auto at = [&](int k) { return place(s.corner[static_cast<std::size_t>(k)]); };
  if (s.inside == d + 1) return content({at(0), at(1), at(2), at(d)});
  if (s.inside == 1) return content({at(0), cut(s, 0, 1), cut(s, 0, 2), d == 3 ? cut(s, 0, 3) : Coordinates{}});
  if (d == 2) return content({at(0), at(1), cut(s, 1, 2), {}}) + content({at(0), cut(s, 1, 2), cut(s, 0, 2), {}});
  const auto prism = [&](const Piece& p, const Piece& q) {
    return content({p[0], p[1], p[2], q[0]}) + content({p[1], p[2], q[0], q[1]}) + content({p[2], q[0], q[1], q[2]});
  };
  if (s.inside == 3) return prism({at(0), at(1), at(2)}, {cut(s, 0, 3), cut(s, 1, 3), cut(s, 2, 3)});
  return prism({at(0), cut(s, 0, 2), cut(s, 0, 3)}, {at(1), cut(s, 1, 2), cut(s, 1, 3)});
}

void Lattice::pieces_of(const Simplex& s, const std::function<void(const Piece&)>& see) const {
  const int d = box_.dimensions;
  if (s.inside == 0 || s.inside == d + 1) return;
  if (d == 2) {
    const Coordinates a = s.inside == 1 ? cut(s, 0, 1) : cut(s, 0, 2), b = s.inside == 1 ? cut(s, 0, 2) : cut(s, 1, 2);
    const bool left = across(minus(b, a), minus(place(s.corner[0]), a))[2] > 0.0;
    return left ? see({a, b}) : see({b, a});
  }
  const auto triangle = [&](const Coordinates& a, const Coordinates& b, const Coordinates& c) {
    const bool outward = along(across(minus(b, a), minus(c, a)), minus(a, place(s.corner[0]))) > 0.0;
    outward ? see({a, b, c}) : see({a, c, b});
  };
  if (s.inside == 1) return triangle(cut(s, 0, 1), cut(s, 0, 2), cut(s, 0, 3));
  if (s.inside == 3) return triangle(cut(s, 0, 3), cut(s, 1, 3), cut(s, 2, 3));
  triangle(cut(s, 0, 2), cut(s, 0, 3), cut(s, 1, 3));
  triangle(cut(s, 0, 2), cut(s, 1, 3), cut(s, 1, 2));
}

void Lattice::each_piece(const std::function<void(const Piece&)>& see) const {
  for (std::size_t c = 0; c < size(); ++c)
    if (is_cell(index(c))) each_simplex(c, [&](const Simplex& simplex) { pieces_of(simplex, see); });
}

/// Of the vertices that are out: the number of the part that each is in, 0 for what leads to the rim; −1 for those in.
std::vector<int> Lattice::outer_parts(int& count) const {
  std::vector<int> part(size(), -1);
  std::vector<std::size_t> stack;
  const auto spread = [&](int number) {
    std::size_t reached = 0;
    for (; !stack.empty(); ++reached) {
      const std::array<int, 3> at = index(stack.back());
      stack.pop_back();
      for (int m = 0; m < 2 * box_.dimensions; ++m) {
        std::array<int, 3> beside = at;
        beside[static_cast<std::size_t>(m / 2)] += m % 2 == 0 ? 1 : -1;
        const int k = beside[static_cast<std::size_t>(m / 2)];
        if (k < 0 || k > cells_[static_cast<std::size_t>(m / 2)]) continue;
        const std::size_t v = vertex(beside);
        if (state[v] == in || part[v] >= 0) continue;
        part[v] = number;
        stack.push_back(v);
      }
    }
    return reached;
  };
  for (std::size_t v = 0; v < size(); ++v) {
    if (state[v] == in || !at_rim(v)) continue;
    part[v] = 0;
    stack.push_back(v);
  }
  spread(0);
  count = 0;
  for (std::size_t v = 0; v < size(); ++v) {
    if (state[v] == in || part[v] >= 0) continue;
    part[v] = count + 1;
    stack.push_back(v);
    if (spread(count + 1) > 1) {  // a single vertex is narrower than the lattice sees
      ++count;
    } else {
      part[v] = 0;
    }
  }
  return part;
}

double Lattice::cell_size(std::size_t cell) const {
  const double r = place(cell)[0] + 0.5 * edge_;
  return std::pow(edge_, box_.dimensions) * (box_.revolved ? 2.0 * std::numbers::pi * r : 1.0);
}

Lattice::Measures Lattice::measure(const std::vector<char>& touched) const {
  Measures measures;
  const std::vector<int> part = outer_parts(measures.holes);
  for (std::size_t c = 0; c < size(); ++c) {
    if (!is_cell(index(c))) continue;
    double inside = 0.0;
    int hole = 0, corners = 0;
    each_simplex(c, [&](const Simplex& simplex) {
      inside += inside_of(simplex);
      corners += simplex.inside;
      for (int k = simplex.inside; k <= box_.dimensions; ++k)
        hole = std::max(hole, part[simplex.corner[static_cast<std::size_t>(k)]]);
    });
    measures.size += inside;
    if (hole > 0) measures.hole_size += cell_size(c) - inside;
    if (corners == 0 && touched[c] != 0) measures.doubt += cell_size(c);
  }
  each_piece([&](const Piece& piece) {
    const Coordinates a = minus(piece[1], piece[0]), b = minus(piece[2], piece[0]);
    if (box_.dimensions == 3) {
      const Coordinates n = across(a, b);
      measures.boundary += 0.5 * std::sqrt(along(n, n));
    } else {
      const double length = std::hypot(a[0], a[1]);
      measures.boundary += box_.revolved ? std::numbers::pi * (piece[0][0] + piece[1][0]) * length : length;
    }
  });
  return measures;
}

}  // namespace ulna::reach
