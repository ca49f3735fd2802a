#include "sizes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ulna::reach {

namespace {

constexpr int starts_of_a_point = 16, starts_beside_one = 4;

double width(const LatticeBox& box) {
  double longest = 0.0;
  for (std::size_t k = 0; k < static_cast<std::size_t>(box.dimensions); ++k)
    longest = std::max(longest, box.high[k] - box.low[k]);
  return longest;
}

/// The largest cell of a lattice with so many along the longest side: what may hide between its points.
double largest_cell(const LatticeBox& box, int along) {
  const double edge = width(box) / along;
  if (box.revolved) return 2.0 * std::numbers::pi * box.high[0] * edge * edge;
  return std::pow(edge, box.dimensions);
}

/// A part is not less than nothing and not more than the whole, nor known to be nearer to it than the whole is known.
Size within(const Size& part, const Size& whole) {
  const double most = whole.value + whole.error;
  const double low = std::clamp(part.value - part.error, 0.0, std::max(0.0, whole.value - whole.error));
  const double high = std::clamp(part.value + part.error, 0.0, most);
  return {0.5 * (low + high), 0.5 * (high - low)};
}

/// Whether points are reached at all.
Question reached_question(const Robot& robot, const Options& options, double tolerance) {
  const IkTarget shape = position_target(robot.frame, Vec3<double>::zero());
  const auto unknown = std::make_shared<Poses>(robot, shape, options, starts_of_a_point, false, tolerance);
  const auto beside = std::make_shared<Poses>(robot, shape, options, starts_beside_one, false, tolerance);
  return [unknown, beside](std::span<const Vec3<double>> points, Positions& q) {
    std::vector<Pose<double>> poses;
    poses.reserve(points.size());
    for (const Vec3<double>& p : points) poses.push_back({Mat3<double>::identity(), p});
    const std::vector<IkResult>& results = (q.size() == points.size() ? *beside : *unknown).solve(poses, q);
    std::vector<char> answers(points.size());
    for (std::size_t k = 0; k < points.size(); ++k) answers[k] = results[k].solved ? 1 : 0;
    return answers;
  };
}

}  // namespace

Reached::Reached(const Robot& r, const Options& o) : robot(r), options(o), chart(r) {
  Samples samples(robot, chart, options.quick ? 1 << 12 : 1 << 15);
  box = samples.box;
  tolerance = tolerance_part * width(box);
  const bool flat = chart.dimensions == 2;
  const RegionOptions how{.accuracy = options.accuracy,
                          .first = flat ? 16 : (options.quick ? 4 : 8),
                          .most = options.quick ? (flat ? 32 : 8) : (flat ? 512 : 64),
                          .halvings = flat ? 10 : (options.quick ? 4 : 8)};
  for (;;) {
    region = std::make_unique<Region>(chart, box, samples.tips, reached_question(robot, options, tolerance));
    region->find(how);
    if (!region->meets_rim()) return;
    const double more = 0.1 * width(box);
    for (std::size_t k = 0; k < static_cast<std::size_t>(box.dimensions); ++k) {
      if (!(box.revolved && k == 0)) box.low[k] -= more;
      box.high[k] += more;
    }
  }
}

Volume Reached::volume() const {
  const Lattice::Measures& m = region->measures();
  return {{m.size, region->error() + tolerance * m.boundary}, m.holes, m.hole_size, region->lattice().edge()};
}

int Reached::cells_that_see_it(int least) const {
  constexpr int enough = 50;
  int along = least;
  for (;; along *= 2) {
    const Lattice wider(box, along);
    int inside = 0;
    for (std::size_t v = 0; v < wider.size(); ++v) inside += region->lattice().is_in_near(wider.place(v)) ? 1 : 0;
    if (inside >= enough || wider.edge() < 1.5 * region->lattice().edge()) return along;
  }
}

double Reached::unseen_by(const RegionOptions& lattice) const {
  Region seen(chart, box, {}, reached_question(robot, options, tolerance));
  seen.find(lattice);
  return std::max(0.0, region->measures().size + region->measures().doubt - seen.measures().size);
}

Dexterity Reached::dexterity() const {
  Dexterity found;
  const bool flat = robot.dimension() == 2;
  found.enough_joints = robot.moving >= (flat ? 3 : 6) && robot.task.orientation.dimension == (flat ? 1 : 3);
  if (!found.enough_joints) return found;
  EveryOrientation asked(robot, every_orientation(robot), options, tolerance);
  const Question question = [&](std::span<const Vec3<double>> points, Positions&) { return asked.ask(points); };
  found.orientations = static_cast<int>(asked.orientations().list.size());
  asked.take(asked.orientations().coarse);
  Region coarse(chart, box, {}, question);
  const bool two = chart.dimensions == 2;
  const int halvings = two ? 8 : 5, first = cells_that_see_it(two ? 16 : 4);
  coarse.find({.accuracy = 0.02,
               .first = first,
               .most = two ? std::clamp(4 * first, 128, 512) : std::clamp(2 * first, 16, 64),
               .halvings = halvings});
  const int along = static_cast<int>(std::lround(width(box) / coarse.lattice().edge()));
  const double unseen = unseen_by({.accuracy = 0.0, .first = first, .most = along, .halvings = halvings});
  asked.take(asked.orientations().list.size());
  const Lattice fine = coarse.within(question, halvings);
  const Lattice::Measures measures = fine.measure(std::vector<char>(fine.size(), 0));
  const bool is_seen = measures.size > 0.0;  // else it may lie between the points that were asked
  const double first_size = is_seen ? measures.size : coarse.measures().size;
  Size part{0.5 * largest_cell(box, first), 0.5 * largest_cell(box, first)};
  if (first_size > 0.0) {
    if (!is_seen) asked.take(asked.orientations().coarse);
    part = part_of_all(asked, is_seen ? fine : coarse.lattice(), first_size);
    part.error += part.value * coarse.error() / coarse.measures().size + tolerance * measures.boundary;
  }
  // Where the lattice sees no workspace it was not asked: there may be all of it or nothing.
  found.size = within({part.value + 0.5 * unseen, part.error + 0.5 * unseen}, volume().size);
  return found;
}

std::vector<Vec3<double>> Reached::scattered(const Lattice& lattice, std::size_t count,
                                             std::mt19937_64& generator) const {
  std::vector<std::size_t> inside;
  for (std::size_t v = 0; v < lattice.size(); ++v)
    if (lattice.state[v] == Lattice::in) inside.push_back(v);
  std::uniform_int_distribution<std::size_t> any(0, inside.size() - 1);
  std::uniform_real_distribution<double> shift(-0.5, 0.5), share(0.0, 1.0);
  std::vector<Vec3<double>> points;
  while (points.size() < count) {
    Coordinates at = lattice.place(inside[any(generator)]);
    for (std::size_t k = 0; k < static_cast<std::size_t>(chart.dimensions); ++k)
      at[k] += shift(generator) * lattice.edge();
    if (box.revolved && share(generator) * box.high[0] > at[0]) continue;  // rings are as large as they are wide
    points.push_back(chart.point(at));
  }
  return points;
}

Size Reached::part_of_all(EveryOrientation& asked, const Lattice& lattice, double size) const {
  constexpr std::size_t at_once = 1024, most = 16384;
  constexpr double enough = 0.03, nothing = 0.002, sigmas = 2.0;
  // Points that are refused by a share f of all orientations get through n of them with (1 − f)^n. Towards f = 0 their
  // number falls no faster than the depth in which they lie behind a boundary, with f like its power 3/2: so the rest
  // is at most 1.7 times what the second half of n takes away.
  constexpr double rest_of_late = 1.7;
  std::mt19937_64 generator(1);
  double tried = 0.0, left = 0.0, late = 0.0;
  Size part{};
  for (std::size_t k = 0; k < most; k += at_once) {
    const std::vector<Vec3<double>> points = scattered(lattice, at_once, generator);
    const std::vector<char> inside = asked.ask(points);
    std::vector<Vec3<double>> good;
    for (std::size_t i = 0; i < points.size(); ++i)
      if (inside[i] != 0) good.push_back(points[i]);
    const EveryOrientation::Left found = asked.ask_others(good);
    tried += static_cast<double>(good.size());
    left += static_cast<double>(found.points);
    late += static_cast<double>(found.late);
    if (tried == 0.0) continue;
    // Wilson's interval, which is right where all or none are left too.
    const double p = left / tried, z = sigmas * sigmas / tried, rest = std::min(p, rest_of_late * late / tried);
    const double centre = (p + 0.5 * z) / (1.0 + z), half = std::sqrt(z * p * (1.0 - p) + 0.25 * z * z) / (1.0 + z);
    part = {size * (centre - 0.5 * rest), size * (half + 0.5 * rest)};
    if (part.error <= enough * part.value || part.value + part.error <= nothing * volume().size.value) break;
  }
  return part;
}

Volume find_volume(const Robot& robot, const Options& options) { return Reached(robot, options).volume(); }
Dexterity find_dexterity(const Robot& robot, const Options& options) { return Reached(robot, options).dexterity(); }

}  // namespace ulna::reach
