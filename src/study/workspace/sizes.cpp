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
  std::vector<Vec3<double>> inside;
  const Lattice::Measures fine = coarse.measure_within(question, halvings, inside);
  if (!(fine.size > 0.0)) {  // no point that was asked is among them: they may lie between
    const double between =
        coarse.measures().size > 0.0 ? coarse.measures().size + coarse.error() : largest_cell(box, first);
    found.size = within({0.5 * (between + unseen), 0.5 * (between + unseen)}, volume().size);
    return found;
  }
  // Orientations between those that are asked take away what falls with the square of their distance, which is twice as
  // large for the coarse ones.
  const double bias = std::max(0.0, (coarse.measures().size - fine.size) / 3.0);
  const double scale = fine.size / coarse.measures().size;
  // Limits may take away less than lies between them: other orientations tell which points that leaves in doubt.
  const double doubt = asked.share_in_doubt(inside) * fine.size;
  // Where the lattice sees no workspace it was not asked: there may be all of it or nothing.
  found.size.value = std::max(0.0, fine.size - bias - 0.5 * doubt) + 0.5 * unseen;
  found.size.error = bias + 0.5 * (doubt + unseen) + scale * coarse.error() + tolerance * fine.boundary;
  found.size = within(found.size, volume().size);
  return found;
}

Volume find_volume(const Robot& robot, const Options& options) { return Reached(robot, options).volume(); }
Dexterity find_dexterity(const Robot& robot, const Options& options) { return Reached(robot, options).dexterity(); }

}  // namespace ulna::reach
