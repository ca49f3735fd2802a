#include "generated.hpp"

#include <fmt/format.h>

#include <charconv>

namespace ulna {

namespace {

/// A robot of which there is the ground so far.
Graph begin(const char* family, int n, const char* title) {
  Graph graph;
  graph.name = fmt::format("{}:{}", family, n);
  graph.title = fmt::format("{} {}", n, title);
  graph.provenance = "generated; parameters are Ulna's own";
  graph.source = {graph.name, 0};
  graph.bodies.push_back({"base", {}, {}, graph.source});
  return graph;
}

/// N rods of 0.1 m and 0.2 kg whose joint axes alternate between y and z, so that the chain moves
/// in space, with a little skew so that no component of anything is zero by accident.
Graph chain(int n) {
  Graph graph = begin("chain", n, "equal links on skew joints");
  const double length = 0.1, mass = 0.2, radius = 0.01;
  const double across = mass * (3.0 * radius * radius + length * length) / 12.0;
  const double along = mass * radius * radius / 2.0;
  for (int i = 1; i <= n; ++i) {
    GraphBody body;
    body.name = fmt::format("link{}", i);
    body.mass = {mass, {length / 2.0, 0.001, -0.002}, {along, across, across, 0.0, 0.0, 0.0}};
    body.shapes.push_back(
        {Shape::Kind::box, {Mat3<double>::identity(), {length / 2.0, 0, 0}}, {length, 2 * radius, 2 * radius}});
    body.source = graph.source;
    GraphJoint joint;
    joint.name = fmt::format("joint{}", i);
    joint.parent = graph.bodies.back().name;
    joint.child = body.name;
    joint.in_parent = {rotation_of_rpy({i % 2 == 1 ? 1.4 : -1.7, 0.0, 0.0}), {i == 1 ? 0.0 : length, 0.0, 0.0}};
    joint.source = graph.source;
    graph.bodies.push_back(std::move(body));
    graph.joints.push_back(std::move(joint));
  }
  graph.frames.push_back({"tip", graph.bodies.back().name, {Mat3<double>::identity(), {length, 0, 0}}, graph.source});
  graph.tip = "tip";
  return graph;
}

/// N revolute joints of which nothing is special: no DH parameter, no coordinate of a mass centre and
/// no element of an inertia is zero, and no two links are alike. The arm that operation counts of
/// the papers are for.
Graph general(int n) {
  Graph graph = begin("general", n, "revolute joints, no parameter zero");
  Pose<double> next = Pose<double>::identity();
  for (int i = 1; i <= n; ++i) {
    const double k = 1.0 / (i + 1.0), side = i % 2 == 1 ? 1.0 : -1.0;
    GraphJoint joint;
    joint.name = fmt::format("joint{}", i);
    joint.parent = graph.bodies.back().name;
    joint.child = fmt::format("link{}", i);
    joint.in_parent = next;
    joint.source = graph.source;
    GraphBody body;
    body.name = joint.child;
    body.mass = {1.0 + k,
                 {0.13 + 0.05 * k, 0.03 * side + 0.01 * k, 0.07 - 0.02 * k},
                 {0.030 + 0.004 * k, 0.045 + 0.003 * k, 0.038 - 0.002 * k, 0.003 + 0.001 * k, -0.002 - 0.001 * k,
                  0.004 - 0.001 * k}};
    body.shapes.push_back({Shape::Kind::box, {Mat3<double>::identity(), {0.15, 0, 0}}, {0.3, 0.05, 0.05}});
    body.source = graph.source;
    next = {rotation_of_rpy({side * 1.1 + 0.2 * k, 0.0, 0.0}), {0.25 + 0.1 * k, 0.0, 0.12 + 0.05 * k}};
    graph.bodies.push_back(std::move(body));
    graph.joints.push_back(std::move(joint));
  }
  graph.frames.push_back({"tip", graph.bodies.back().name, next, graph.source});
  graph.tip = "tip";
  return graph;
}

}  // namespace

Graph generate(const std::string& robot) {
  const auto colon = robot.find(':');
  const std::string family = robot.substr(0, colon), count = robot.substr(colon + 1);
  int n = 0;
  const auto [end, status] = std::from_chars(count.data(), count.data() + count.size(), n);
  const bool whole = status == std::errc{} && end == count.data() + count.size();
  const bool known = family == "chain" || family == "general";
  if (!known || !whole || n < 1 || n > 1'000'000)
    throw InputError(
        fmt::format("unknown robot '{}'; generated robots are chain:N and general:N with N from 1 to 1000000", robot));
  return family == "chain" ? chain(n) : general(n);
}

}  // namespace ulna
