#include "region.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "ulna/model/random_state.hpp"

namespace ulna::reach {

namespace {

Vec3<double> any_across(const Vec3<double>& axis) {
  const Vec3<double> seed = std::abs(axis.x) < 0.9 ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 1, 0};
  const Vec3<double> across = seed - dot(seed, axis) * axis;
  return (1.0 / norm(across)) * across;
}

}  // namespace

Chart::Chart(const Robot& robot)
    : dimensions(robot.revolved ? 2 : robot.dimension()), revolved(robot.revolved), origin(robot.origin) {
  if (revolved) {
    axes = {any_across(robot.axis), robot.axis, Vec3<double>::zero()};
  } else if (dimensions == 3) {
    axes = {Vec3<double>{1, 0, 0}, Vec3<double>{0, 1, 0}, Vec3<double>{0, 0, 1}};
  } else {
    const Mat3<double>& plane = robot.task.position.axes;
    Kinematics<double> kinematics(robot.model);
    std::mt19937_64 generator(1);
    kinematics.update_positions(random_position(robot.model, generator));
    const Vec3<double> tip = kinematics.pose(robot.frame).p - origin;
    origin = origin + dot(tip, plane.row_z()) * plane.row_z();
    axes = {plane.row_x(), plane.row_y(), Vec3<double>::zero()};
  }
}

Vec3<double> Chart::point(const Coordinates& at) const {
  return origin + at[0] * axes[0] + at[1] * axes[1] + at[2] * axes[2];
}

Coordinates Chart::at(const Vec3<double>& point) const {
  const Vec3<double> p = point - origin;
  if (!revolved) return {dot(p, axes[0]), dot(p, axes[1]), dot(p, axes[2])};
  const double height = dot(p, axes[1]);
  return {norm(p - height * axes[1]), height, 0.0};
}

Samples::Samples(const Robot& robot, const Chart& chart, int count) {
  Kinematics<double> kinematics(robot.model);
  std::mt19937_64 generator(1);
  constexpr double far = 1e300;
  box = {chart.dimensions, {far, far, far}, {-far, -far, -far}, chart.revolved};
  for (int k = 0; k < count; ++k) {
    kinematics.update_positions(random_position(robot.model, generator));
    tips.push_back(chart.at(kinematics.pose(robot.frame).p));
    for (std::size_t i = 0; i < 3; ++i) {
      box.low[i] = std::min(box.low[i], tips.back()[i]);
      box.high[i] = std::max(box.high[i], tips.back()[i]);
    }
  }
  constexpr double margin = 0.05;  // what more positions would find beyond the first ones, or a little more
  double longest = 0.0;
  for (std::size_t i = 0; i < 3; ++i) longest = std::max(longest, box.high[i] - box.low[i]);
  for (std::size_t i = 0; i < static_cast<std::size_t>(box.dimensions); ++i) {
    box.low[i] -= margin * longest;
    box.high[i] += margin * longest;
  }
  if (box.revolved) box.low[0] = 0.0;
}

Region::Region(const Chart& chart, const LatticeBox& box, std::vector<Coordinates> samples, Question question)
    : chart_(chart), samples_(std::move(samples)), question_(std::move(question)), box_(box), lattice_(box, 1) {}

std::vector<char> Region::touched(const Lattice& lattice) const {
  std::vector<char> cells(lattice.size(), 0);
  for (const Coordinates& tip : samples_) cells[lattice.cell_of(tip)] = 1;
  return cells;
}

void Region::ask_unknown(Lattice& lattice, Positions& q, const Question& question) const {
  std::vector<std::size_t> list;
  std::vector<Vec3<double>> points;
  for (std::size_t v = 0; v < lattice.size(); ++v) {
    if (lattice.state[v] != Lattice::unknown) continue;
    list.push_back(v);
    points.push_back(chart_.point(lattice.place(v)));
  }
  Positions found;
  const std::vector<char> answers = question(points, found);
  for (std::size_t k = 0; k < list.size(); ++k) {
    lattice.state[list[k]] = answers[k] != 0 ? Lattice::in : Lattice::out;
    if (answers[k] != 0 && !found.empty()) q[list[k]] = found[k];
  }
}

/// A search may fail: what lies beside a vertex that is in is asked once more from there, until nothing changes.
void Region::ask_again_beside(Lattice& lattice, Positions& q, const Question& question) const {
  for (bool changed = true; changed;) {
    changed = false;
    std::vector<char> asked(lattice.size(), 0);
    std::vector<std::size_t> list;
    std::vector<Vec3<double>> points;
    Positions from;
    for (const Lattice::Crossing& crossing : lattice.crossings()) {
      if (q[crossing.from].empty() || asked[crossing.to] != 0) continue;
      asked[crossing.to] = 1;
      list.push_back(crossing.to);
      points.push_back(chart_.point(lattice.place(crossing.to)));
      from.push_back(q[crossing.from]);
    }
    if (list.empty()) return;
    const std::vector<char> answers = question(points, from);
    for (std::size_t k = 0; k < list.size(); ++k) {
      if (answers[k] == 0) continue;
      lattice.state[list[k]] = Lattice::in;
      q[list[k]] = from[k];
      changed = true;
    }
  }
}

void Region::find_crossings(Lattice& lattice, const Positions& q, const Question& question, int halvings) const {
  const std::vector<Lattice::Crossing> list = lattice.crossings();
  std::vector<double> low(list.size(), 0.0), high(list.size(), 1.0);
  std::vector<Vec3<double>> points(list.size());
  Positions last;
  bool have_starts = true;
  for (const Lattice::Crossing& crossing : list) {
    last.push_back(q[crossing.from]);
    have_starts = have_starts && !last.back().empty();
  }
  for (int round = 0; round < halvings && !list.empty(); ++round) {
    for (std::size_t k = 0; k < list.size(); ++k) {
      const Vec3<double> a = chart_.point(lattice.place(list[k].from)), b = chart_.point(lattice.place(list[k].to));
      points[k] = a + 0.5 * (low[k] + high[k]) * (b - a);
    }
    Positions found = have_starts ? last : Positions{};
    const std::vector<char> answers = question(points, found);
    for (std::size_t k = 0; k < list.size(); ++k) {
      const double middle = 0.5 * (low[k] + high[k]);
      (answers[k] != 0 ? low[k] : high[k]) = middle;
      if (answers[k] != 0 && have_starts) last[k] = found[k];
    }
  }
  for (std::size_t k = 0; k < list.size(); ++k) lattice.set_crossing(list[k], 0.5 * (low[k] + high[k]));
}

void Region::refine() {
  Lattice fine = lattice_.finer(touched(lattice_));
  Positions q(fine.size());
  for (std::size_t v = 0; v < lattice_.size(); ++v)
    if (!q_[v].empty()) q[fine.same_vertex(lattice_, v)] = std::move(q_[v]);
  lattice_ = std::move(fine);
  q_ = std::move(q);
}

void Region::find(const RegionOptions& options) {
  lattice_ = Lattice(box_, options.first);
  q_.assign(lattice_.size(), {});
  double before = 0.0, change = 0.0;
  for (int along = options.first;; along *= 2) {
    ask_unknown(lattice_, q_, question_);
    ask_again_beside(lattice_, q_, question_);
    find_crossings(lattice_, q_, question_, options.halvings);
    measures_ = lattice_.measure(touched(lattice_));
    const double last = change;
    change = std::abs(measures_.size - before);
    before = measures_.size;
    // The error falls with the square of the edge, so that the change is three times what is left where it goes all one
    // way. Parts of the boundary may cancel by chance: so the change before counts too, or more where there was none.
    // Where the boundary lies along the lattice, all edges leave it by the same part too early or too late.
    const double trend = along > 2 * options.first ? 1.5 * std::max(change, 0.25 * last) : 2.0 * change;
    error_ = trend + measures_.doubt + measures_.boundary * std::ldexp(lattice_.edge(), -options.halvings - 1);
    const bool known = along >= 4 * options.first && error_ <= options.accuracy * measures_.size;
    if (known || 2 * along > options.most) return;
    refine();
  }
}

Lattice Region::within(const Question& question, int halvings) const {
  Lattice lattice = lattice_;
  for (std::uint8_t& state : lattice.state)
    if (state == Lattice::in) state = Lattice::unknown;
  Positions q(lattice.size());
  ask_unknown(lattice, q, question);
  find_crossings(lattice, q, question, halvings);
  return lattice;
}

bool Region::meets_rim() const {
  for (std::size_t v = 0; v < lattice_.size(); ++v)
    if (lattice_.state[v] == Lattice::in && lattice_.at_rim(v)) return true;
  return false;
}

}  // namespace ulna::reach
