#include "sweep_grid.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "ulna/kinematics/kinematics.hpp"

namespace ulna::selection {

SweepGrid::SweepGrid(const Arm& arm, double reach, int cells)
    : turns_(is_hinge(arm.model.bodies()[0].kind)),
      planar_(arm.dimension() == 2),
      full_(turns_ && arm.ranges[0].is_full_turn()),
      range_(arm.ranges[0]) {
  if (planar_ && !turns_) {
    // The plane's normal in the first body's frame, which a slide does not turn; the slide is z there.
    Kinematics<double> kinematics(arm.model);
    kinematics.update_positions(arm.middle());
    const Mat3<double> to_world = kinematics.pose({"", 0, Pose<double>::identity()}).R;
    across_ = cross(Vec3<double>{0, 0, 1}, transpose_times(to_world, arm.axes().row_z()));
  }
  edge_ = 2.0 * reach / cells;
  constexpr int margin = 2;  // empty cells around, for what is outside
  low_ = -reach - margin * edge_;
  columns_ = turns_ ? cells / 2 + margin : cells + 2 * margin;
  rows_ = planar_ ? 1 : cells + 2 * margin;
  plan_bins(reach, cells);
  cells_.assign(index(0, rows_, 0), 0);
}

/// Bins along the sweep, so that its length is a whole number of them.
void SweepGrid::plan_bins(double reach, int cells) {
  if (full_) {
    bin_ = whole_turn;
    return;
  }
  if (turns_) {  // the turn and the range are to be whole numbers of bins: the nearest fraction
    double best = HUGE_VAL;
    for (int n = cells; n < 2 * cells; ++n) {
      const double length = range_.width() / whole_turn * n;
      const double off = std::abs(length - std::round(length)) / n;
      if (off >= best) continue;
      best = off;
      bins_ = n;
      length_ = static_cast<int>(std::round(length));
    }
    bin_ = whole_turn / bins_;
    return;
  }
  const double about = 2.0 * reach / cells;
  length_ = range_.width() > 0.0 ? static_cast<int>(std::ceil(range_.width() / about)) : 0;
  bin_ = length_ > 0 ? range_.width() / length_ : about;
  bins_ = static_cast<int>(std::ceil(2.0 * reach / bin_)) + 4 + length_;
  bin_low_ = -reach - 2.0 * bin_;
}

void SweepGrid::mark(const Vec3<double>& p) {
  double first = 0.0, second = p.z, along = 0.0;
  if (turns_) {
    first = std::hypot(p.x, p.y);
    if (!full_) along = std::atan2(p.y, p.x) + std::numbers::pi;
  } else {
    first = planar_ ? dot(across_, p) : p.x;
    second = p.y;
    along = p.z - bin_low_;
  }
  const auto i = static_cast<int>((first - (turns_ ? 0.0 : low_)) / edge_);
  const int j = planar_ ? 0 : static_cast<int>((second - low_) / edge_);
  const int k = full_ ? 0 : std::clamp(static_cast<int>(along / bin_), 0, bins_ - 1);
  cells_[index(std::clamp(i, 0, columns_ - 1), std::clamp(j, 0, rows_ - 1), k)] = 1;
}

void SweepGrid::sweep(double step) {
  if (full_) return;
  for (int j = 0; j < rows_; ++j)
    for (int i = 0; i < columns_; ++i) sweep_cell(i, j, step);
}

/// A stretch of marked bins a … b is points in them; moved through the sweep it is b − a + length bins.
void SweepGrid::sweep_cell(int i, int j, double step) {
  std::uint8_t* bins = &cells_[index(i, j, 0)];
  const std::uint8_t* first = std::find(bins, bins + bins_, 1);
  if (first == bins + bins_) return;
  const int begin = static_cast<int>(first - bins);
  const double lever = turns_ ? (i + 0.5) * edge_ : 1.0;
  const int gap = 1 + static_cast<int>(std::ceil(step / (lever * bin_)));
  std::vector<std::uint8_t> swept(static_cast<std::size_t>(bins_), 0);
  const auto put = [&](int a, int b) {
    for (int k = a; k < b + length_; ++k) swept[static_cast<std::size_t>(turns_ ? k % bins_ : k)] = 1;
  };
  // Once around from the first marked bin; on a turn the last stretch may run into the first one again.
  int a = begin, b = begin;
  const int end = turns_ ? begin + bins_ : bins_ - 1;
  for (int k = begin + 1; k <= end; ++k) {
    if (bins[turns_ ? k % bins_ : k] == 0) continue;
    if (k - b > gap) {
      put(a, b);
      a = k;
    }
    b = k;
  }
  put(a, b);
  std::copy(swept.begin(), swept.end(), bins);
}

double SweepGrid::weight(int i) const {
  const double area = planar_ ? edge_ : edge_ * edge_;
  return area * bin_ * (turns_ ? (i + 0.5) * edge_ : 1.0);
}

std::array<std::array<int, 3>, 6> SweepGrid::beside(int i, int j, int k) const {
  constexpr std::array<int, 3> outside{-1, -1, -1};
  const std::array<int, 3> self{i, j, k};
  std::array<std::array<int, 3>, 6> list{self, self, self, self, self, self};
  list[0] = i + 1 < columns_ ? std::array{i + 1, j, k} : outside;
  if (i > 0)
    list[1] = {i - 1, j, k};
  else if (turns_)
    list[1] = {0, j, (k + bins_ / 2) % bins_};  // across the axis
  else
    list[1] = outside;
  if (!planar_) {
    list[2] = j + 1 < rows_ ? std::array{i, j + 1, k} : outside;
    list[3] = j > 0 ? std::array{i, j - 1, k} : outside;
  }
  if (full_) return list;
  if (turns_) {
    list[4] = {i, j, (k + 1) % bins_};
    list[5] = {i, j, (k + bins_ - 1) % bins_};
  } else {
    list[4] = k + 1 < bins_ ? std::array{i, j, k + 1} : outside;
    list[5] = k > 0 ? std::array{i, j, k - 1} : outside;
  }
  return list;
}

double SweepGrid::outer() const {
  double sum = 0.0;
  for (int j = 0; j < rows_; ++j)
    for (int i = 0; i < columns_; ++i)
      sum += weight(i) * static_cast<double>(std::count(&cells_[index(i, j, 0)], &cells_[index(i, j, 0)] + bins_, 1));
  return sum;
}

double SweepGrid::inner() const {
  double sum = 0.0;
  for (int j = 0; j < rows_; ++j) {
    for (int i = 0; i < columns_; ++i) {
      for (int k = 0; k < bins_; ++k) {
        if (!reached(i, j, k)) continue;
        const auto near = beside(i, j, k);
        // Along the sweep the ends are known; across it they are within the cell. At the axis a cell's
        // other side belongs to the same circles.
        const bool all = std::all_of(near.begin(), near.begin() + 4, [&](const std::array<int, 3>& c) {
          return (c[0] == 0 && i == 0) || (!is_outside(c) && reached(c[0], c[1], c[2]));
        });
        if (all) sum += weight(i);
      }
    }
  }
  return sum;
}

double SweepGrid::rounding() const {
  if (full_) return 0.0;
  double sum = 0.0;
  for (int j = 0; j < rows_; ++j) {
    for (int i = 0; i < columns_; ++i) {
      for (int k = 0; k < bins_; ++k) {
        const int next = turns_ ? (k + 1) % bins_ : std::min(k + 1, bins_ - 1);
        if (reached(i, j, k) != reached(i, j, next)) sum += 0.5 * weight(i);
      }
    }
  }
  return sum;
}

SweepGrid::Holes SweepGrid::holes() const {
  std::vector<std::uint8_t> seen(cells_.size(), 0);
  std::vector<std::array<int, 3>> front;
  // Everything empty that hangs together with a cell: its size, and whether it reaches the outside.
  const auto flood = [&](int i, int j, int k, bool& open, bool& wide) {
    double size = 0.0;
    front.push_back({i, j, k});
    seen[index(i, j, k)] = 1;
    while (!front.empty()) {
      const std::array<int, 3> at = front.back();
      front.pop_back();
      size += weight(at[0]);
      bool alone = true;
      for (const std::array<int, 3>& next : beside(at[0], at[1], at[2])) {
        if (is_outside(next)) {
          open = true;
          continue;
        }
        const std::size_t n = index(next[0], next[1], next[2]);
        alone = alone && cells_[n] == 0;
        if (cells_[n] != 0 || seen[n] != 0) continue;
        seen[n] = 1;
        front.push_back(next);
      }
      wide = wide || alone;
    }
    return size;
  };
  Holes found;
  for (int j = 0; j < rows_; ++j) {
    for (int i = 0; i < columns_; ++i) {
      for (int k = 0; k < bins_; ++k) {
        if (reached(i, j, k) || seen[index(i, j, k)] != 0) continue;
        bool open = false, wide = false;
        const double size = flood(i, j, k, open, wide);
        if (open || !wide) continue;
        ++found.count;
        found.size += size;
      }
    }
  }
  return found;
}

}  // namespace ulna::selection
