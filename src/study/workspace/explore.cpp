#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "sizes.hpp"

namespace ulna::reach {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Points of the workspace at which a value is largest, from points of its boundary: a little further the same way, and
/// back to the nearest that is reached.
class Farthest {
 public:
  Farthest(const Reached& reached, std::vector<Vec3<double>> boundary)
      : robot_(reached.robot),
        options_(reached.options),
        step_(2.0 * reached.region->lattice().edge()),
        nearest_(robot_, position_target(robot_.frame, Vec3<double>::zero()), reached.options, 8, true, 1e-9),
        kinematics_(robot_.model),
        boundary_(std::move(boundary)) {}

  struct Found {
    double value = 0.0;
    std::vector<double> q{};
  };
  /// `way` is where the value grows fastest.
  Found find(const std::function<double(const Vec3<double>&)>& value,
             const std::function<Vec3<double>(const Vec3<double>&)>& way) {
    constexpr std::size_t candidates = 16;
    constexpr int rounds = 40;
    std::vector<Vec3<double>> at = boundary_;
    const std::size_t count = std::min(candidates, at.size());
    std::partial_sort(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(count), at.end(),
                      [&](const Vec3<double>& a, const Vec3<double>& b) { return value(a) > value(b); });
    at.resize(count);
    Found best{-std::numeric_limits<double>::infinity()};
    Positions q;
    std::vector<Pose<double>> poses(count);
    for (int round = 0; round < rounds; ++round) {
      for (std::size_t k = 0; k < count; ++k)
        poses[k] = {Mat3<double>::identity(), round == 0 ? at[k] : at[k] + step_ * way(at[k])};
      nearest_.solve(poses, q);
      for (std::size_t k = 0; k < count; ++k) {
        kinematics_.update_positions(q[k]);
        at[k] = kinematics_.pose(robot_.frame).p;
        if (value(at[k]) > best.value) best = {value(at[k]), q[k]};
      }
    }
    return best;
  }
  /// The point nearest to another one.
  Found nearest_to(const Vec3<double>& point) {
    Poses thorough(robot_, position_target(robot_.frame, Vec3<double>::zero()), options_, 272, true, 1e-9);
    Positions q;
    const Pose<double> pose{Mat3<double>::identity(), point};
    const IkResult result = thorough.solve({&pose, 1}, q)[0];
    return {result.solved ? 0.0 : result.position_error, q[0]};
  }

 private:
  const Robot& robot_;
  const Options& options_;
  double step_;
  Poses nearest_;
  Kinematics<double> kinematics_;
  std::vector<Vec3<double>> boundary_;
};

Vec3<double> unit_or_zero(const Vec3<double>& v) { return norm(v) > 0.0 ? (1.0 / norm(v)) * v : v; }

void find_extents(const Reached& reached, const std::vector<Vec3<double>>& boundary, Record& record) {
  const Robot& robot = reached.robot;
  Farthest farthest(reached, boundary);
  const auto far = farthest.find([](const Vec3<double>& p) { return norm(p); }, unit_or_zero);
  const auto near = farthest.nearest_to(Vec3<double>::zero());
  record.from_base = {far.value, near.value, far.q, near.q};
  const auto along = [&](const Vec3<double>& p) { return dot(p - robot.origin, robot.axis); };
  const auto from_axis = [&](const Vec3<double>& p) { return p - robot.origin - along(p) * robot.axis; };
  record.height = {
      -farthest.find([&](const auto& p) { return -along(p); }, [&](const auto&) { return -1.0 * robot.axis; }).value,
      farthest.find(along, [&](const auto&) { return robot.axis; }).value};
  if (!is_hinge(robot.model.bodies()[static_cast<std::size_t>(robot.first)].kind)) return;
  const auto most = farthest.find([&](const auto& p) { return norm(from_axis(p)); },
                                  [&](const auto& p) { return unit_or_zero(from_axis(p)); });
  // Towards the axis and not beyond it: from a step away what is nearest may lie on the other side.
  const double edge = reached.region->lattice().edge();
  const auto least = farthest.find(
      [&](const auto& p) { return -norm(from_axis(p)); },
      [&](const auto& p) { return (-std::min(1.0, 0.5 * norm(from_axis(p)) / edge)) * unit_or_zero(from_axis(p)); });
  const double rest = -least.value < reached.tolerance ? 0.0 : -least.value;
  record.from_axis = Extent{most.value, rest, most.q, least.q};
}

/// The section of a body of revolution, all the way round.
void revolve(const Chart& chart, const std::array<Vec3<double>, 2>& line,
             std::vector<std::array<Vec3<double>, 3>>& to) {
  constexpr int steps = 90;
  const Vec3<double> side = cross(chart.axes[1], chart.axes[0]);
  const auto turned = [&](const Vec3<double>& p, int step) {
    const double angle = 2.0 * std::numbers::pi * step / steps;
    const Coordinates at = chart.at(p);
    return chart.origin + at[1] * chart.axes[1] + (at[0] * std::cos(angle)) * chart.axes[0] +
           (at[0] * std::sin(angle)) * side;
  };
  for (int k = 0; k < steps; ++k) {
    const Vec3<double> a = turned(line[0], k), b = turned(line[1], k), c = turned(line[0], k + 1),
                       d = turned(line[1], k + 1);
    to.push_back({a, c, b});
    to.push_back({c, d, b});
  }
}

std::vector<Vec3<double>> find_boundary(const Reached& reached, Record& record) {
  std::vector<Vec3<double>> points;
  reached.region->lattice().each_piece([&](const Lattice::Piece& piece) {
    std::array<Vec3<double>, 3> corners{};
    for (std::size_t k = 0; k < 3; ++k) corners[k] = reached.chart.point(piece[k]);
    points.push_back(corners[0]);
    if (reached.chart.dimensions == 3) return record.boundary.push_back(corners);
    record.outline.push_back({corners[0], corners[1]});
    if (reached.chart.revolved) revolve(reached.chart, record.outline.back(), record.boundary);
  });
  return points;
}

/// Service and payload at points, of which those that are not reached are left out.
std::vector<Point> ask_points(const Reached& reached, const Record& record, std::span<const Vec3<double>> points,
                              std::vector<std::size_t>& which) {
  const Robot& robot = reached.robot;
  Poses asked(robot, position_target(robot.frame, Vec3<double>::zero()), reached.options, 16, false, reached.tolerance);
  std::vector<Pose<double>> poses;
  for (const Vec3<double>& p : points) poses.push_back({Mat3<double>::identity(), p});
  Positions q;
  const std::vector<IkResult>& results = asked.solve(poses, q);
  std::vector<Vec3<double>> in;
  Positions in_q;
  for (std::size_t k = 0; k < points.size(); ++k) {
    if (!results[k].solved) continue;
    which.push_back(k);
    in.push_back(points[k]);
    in_q.push_back(q[k]);
  }
  std::vector<double> service(in.size(), nan), payload(in.size(), nan);
  if (record.has_service) service = shares(robot, service_directions(robot), reached.options, reached.tolerance, in);
  if (record.has_payload) payload = payloads(robot, reached.options, reached.tolerance, in, in_q);
  std::vector<Point> made;
  for (std::size_t k = 0; k < in.size(); ++k) made.push_back({in[k], in_q[k], service[k], payload[k]});
  return made;
}

void find_points(const Reached& reached, Record& record) {
  constexpr std::size_t enough = 3000;
  const Lattice& lattice = reached.region->lattice();
  std::vector<Vec3<double>> points;
  std::size_t count = 0;
  for (std::size_t v = 0; v < lattice.size(); ++v) count += lattice.state[v] == Lattice::in ? 1U : 0U;
  const std::size_t every = std::max<std::size_t>(1, count / enough);
  count = 0;
  for (std::size_t v = 0; v < lattice.size(); ++v)
    if (lattice.state[v] == Lattice::in && count++ % every == 0)
      points.push_back(reached.chart.point(lattice.place(v)));
  std::vector<std::size_t> which;
  record.points = ask_points(reached, record, points, which);
  double weights = 0.0, sum = 0.0, least = std::numeric_limits<double>::infinity();
  for (const Point& point : record.points) {
    const double weight = reached.chart.revolved ? reached.chart.at(point.p)[0] : 1.0;
    weights += weight;
    sum += weight * point.service;
    least = std::min(least, point.payload);
  }
  record.mean_service = weights > 0.0 ? sum / weights : 0.0;
  record.least_payload = record.has_payload ? least : nan;
}

void fill(const Reached& reached, const Record& record, Slice& slice) {
  constexpr int along = 60;
  const double edge = std::max(slice.x_high - slice.x_low, slice.y_high - slice.y_low) / along;
  slice.columns = std::max(1, static_cast<int>(std::round((slice.x_high - slice.x_low) / edge)));
  slice.rows = std::max(1, static_cast<int>(std::round((slice.y_high - slice.y_low) / edge)));
  std::vector<Vec3<double>> points;
  for (int row = 0; row < slice.rows; ++row) {
    for (int column = 0; column < slice.columns; ++column) {
      const double x = slice.x_low + (column + 0.5) * (slice.x_high - slice.x_low) / slice.columns;
      const double y = slice.y_low + (row + 0.5) * (slice.y_high - slice.y_low) / slice.rows;
      points.push_back(slice.origin + x * slice.x_axis + y * slice.y_axis);
    }
  }
  std::vector<std::size_t> which;
  const std::vector<Point> found = ask_points(reached, record, points, which);
  slice.reached.assign(points.size(), 0);
  slice.service.assign(points.size(), nan);
  slice.payload.assign(points.size(), nan);
  for (std::size_t k = 0; k < found.size(); ++k) {
    slice.reached[which[k]] = 1;
    slice.service[which[k]] = found[k].service;
    slice.payload[which[k]] = found[k].payload;
  }
}

/// Bounds of the boundary along an axis, from an origin.
std::pair<double, double> bounds(const std::vector<Vec3<double>>& points, const Vec3<double>& origin,
                                 const Vec3<double>& axis) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Vec3<double>& p : points) {
    low = std::min(low, dot(p - origin, axis));
    high = std::max(high, dot(p - origin, axis));
  }
  const double margin = 0.02 * (high - low);
  return {low - margin, high + margin};
}

void find_slices(const Reached& reached, const std::vector<Vec3<double>>& outline, int across, Record& record) {
  const Robot& robot = reached.robot;
  std::vector<Vec3<double>> boundary = outline;
  for (const std::array<Vec3<double>, 3>& triangle : record.boundary) boundary.push_back(triangle[0]);
  const auto add = [&](Slice slice) {
    std::tie(slice.x_low, slice.x_high) = bounds(boundary, slice.origin, slice.x_axis);
    std::tie(slice.y_low, slice.y_high) = bounds(boundary, slice.origin, slice.y_axis);
    fill(reached, record, slice);
    record.slices.push_back(std::move(slice));
  };
  const std::array<Vec3<double>, 3>& own = reached.chart.axes;
  if (robot.dimension() == 2) {
    return add({.title = "in its plane",
                .x_label = "x, m",
                .y_label = "y, m",
                .origin = reached.chart.origin,
                .x_axis = own[0],
                .y_axis = own[1]});
  }
  const bool hinge = is_hinge(robot.model.bodies()[static_cast<std::size_t>(robot.first)].kind);
  const Vec3<double> up = hinge ? robot.axis : Vec3<double>{0, 0, 1};
  const Vec3<double> x =
      reached.chart.revolved
          ? own[0]
          : unit_or_zero(cross(std::abs(up.y) < 0.9 ? Vec3<double>{0, 1, 0} : Vec3<double>{0, 0, 1}, up));
  const Vec3<double> y = cross(up, x);
  Vec3<double> origin = robot.origin;
  if (!hinge) {
    for (const Vec3<double>& axis : {x, y}) {
      const auto [low, high] = bounds(boundary, origin, axis);
      origin = origin + 0.5 * (low + high) * axis;
    }
  }
  add({.title = hinge ? "through the first axis" : "through the middle",
       .x_label = "across, m",
       .y_label = "along the axis, m",
       .origin = origin,
       .x_axis = x,
       .y_axis = up});
  const auto [low, high] = bounds(boundary, origin, up);
  for (int k = 1; k <= across; ++k) {
    const double height = low + (high - low) * k / (across + 1);
    add({.title = "",
         .x_label = "x, m",
         .y_label = "y, m",
         .origin = origin + height * up,
         .x_axis = x,
         .y_axis = y,
         .height = height});
  }
}

}  // namespace

Record explore(const Graph& graph, const Parts& parts, const Options& options) {
  if (parts.slices < 0 || parts.slices > most_slices)
    throw InputError(fmt::format("slices must be 0 to {}, not {}", most_slices, parts.slices));
  Record record{.robot = make_robot(graph, options)};
  const Robot& robot = record.robot;
  const Reached reached(robot, options);
  record.volume = reached.volume();
  const std::vector<Vec3<double>> boundary = find_boundary(reached, record);
  find_extents(reached, boundary, record);
  record.has_service = robot.moving >= (robot.dimension() == 2 ? 3 : 5) &&
                       robot.task.orientation.dimension == (robot.dimension() == 2 ? 1 : 3);
  record.has_payload = has_effort_limits(robot) && norm(robot.model.gravity()) > 0.0;
  if (parts.dexterity) record.dexterity = reached.dexterity();
  if (!parts.maps) return record;
  find_points(reached, record);
  find_slices(reached, boundary, parts.slices, record);
  return record;
}

}  // namespace ulna::reach
