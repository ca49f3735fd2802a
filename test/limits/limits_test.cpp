// The far ends of what a robot can be: units, angles, axes, links without length. Each against a law that holds there.
#include <gtest/gtest.h>

#include "support/link_condition.hpp"
#include "support/test_robots.hpp"
#include "support/tolerance.hpp"
#include "ulna/model/random_state.hpp"

namespace ulna {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// Lengths in another unit: as many of it as `length` in a metre; masses likewise. Gravity and inertia go with them.
Graph in_units(Graph graph, double length, double mass) {
  const auto scaled = [&](Pose<double> pose) { return Pose<double>{pose.R, length * pose.p}; };
  graph.gravity = length * graph.gravity;
  for (GraphBody& body : graph.bodies) {
    Sym3<double>& I = body.mass.inertia;
    const double s = mass * length * length;
    body.mass = {
        mass * body.mass.mass, length * body.mass.com, {s * I.xx, s * I.yy, s * I.zz, s * I.xy, s * I.xz, s * I.yz}};
  }
  for (GraphJoint& joint : graph.joints) {
    joint.in_parent = scaled(joint.in_parent);
    joint.in_child = scaled(joint.in_child);
    joint.pitch *= length;
    joint.passive = {};
    if (joint.kind == JointKind::prismatic) joint.offset *= length;
  }
  for (GraphFrame& frame : graph.frames) frame.pose = scaled(frame.pose);
  return graph;
}

/// Robots whose joints all turn: then torques have one unit, and all accelerations, too.
std::vector<Graph> turning_robots() {
  std::vector<Graph> robots;
  for (Graph& graph : test::test_robots()) {
    const bool turns = std::all_of(graph.joints.begin(), graph.joints.end(), [](const GraphJoint& joint) {
      return joint.kind == JointKind::revolute || joint.kind == JointKind::spherical || joint.kind == JointKind::fixed;
    });
    if (turns && !graph.free_base && test::is_positive_definite(graph)) robots.push_back(std::move(graph));
  }
  return robots;
}

TEST(Limits, UnitsScaleWhatTheyMustAndNothingElse) {
  std::mt19937_64 generator(7);
  for (const Graph& graph : turning_robots()) {
    const Model model = build(in_units(graph, 1.0, 1.0));
    const std::vector<double> q = random_position(model, generator), v = random_velocity(model, generator, 2.0),
                              a = random_velocity(model, generator, 3.0);
    const auto n = static_cast<std::size_t>(model.nv());
    const test::StateScale scale = test::scale_of(model, q, v, a);
    // millimetres and kilometres, micrometres and a planet's size; grams, tonnes and far beyond
    for (const double length : {1e3, 1e-3, 1e6, 1e-7})
      for (const double mass : {1e3, 1e-3, 1e12, 1e-12}) {
        const Model other = build(in_units(graph, length, mass));
        for (const MethodInfo& info : methods()) {
          if (!info.refusal(model).empty() || !info.refusal(other).empty()) continue;
          std::vector<double> tau(n), same(n), out(n);
          const auto one = make_method<double>(info.name, info.gives.front(), model),
                     two = make_method<double>(info.name, info.gives.front(), other);
          const std::string where = graph.name + " " + std::string(info.name);
          newton_euler::Workspace<double> ws(model);
          newton_euler::inverse_dynamics(model, ws, q, v, a, tau);
          const double unit = mass * length * length;
          if (info.can(Quantity::inverse_dynamics)) {
            two->inverse_dynamics(q, v, a, out);
            for (std::size_t i = 0; i < n; ++i)
              EXPECT_NEAR(out[i] / unit, tau[i], 2.0 * test::torque_tolerance(model, scale, epsilon)) << where;
          }
          if (info.can(Quantity::forward_dynamics)) {
            std::vector<double> in_other_units = tau;
            for (double& x : in_other_units) x *= unit;
            one->forward_dynamics(q, v, tau, same);
            two->forward_dynamics(q, v, in_other_units, out);
            const double tolerance = (info.scope.solid_links ? 2.0 * test::link_condition(model) : 2.0) *
                                     test::acceleration_tolerance(model, scale, epsilon);
            for (std::size_t i = 0; i < n; ++i)
              EXPECT_NEAR(out[i], same[i], tolerance) << where << " " << length << " " << mass;
          }
        }
      }
  }
}

TEST(Limits, AMillionRadiansAreAsTheirRemainder) {
  std::mt19937_64 generator(8);
  const Model model = load("puma560");
  std::vector<double> tau(6), want(6), v = random_velocity(model, generator, 2.0),
                                       a = random_velocity(model, generator, 3.0);
  for (const double size : {1e5, 1e6, 1e9}) {
    std::vector<double> q(6), near(6);
    for (std::size_t i = 0; i < 6; ++i) {
      q[i] = size * (1.0 + 0.1 * static_cast<double>(i)) * (i % 2 == 0 ? 1.0 : -1.0);
      near[i] = std::atan2(std::sin(q[i]), std::cos(q[i]));  // the C library's reduction is exact
    }
    const test::StateScale scale = test::scale_of(model, near, v, a);
    for (const MethodInfo& info : methods()) {
      if (!info.can(Quantity::inverse_dynamics)) continue;
      const auto method = make_method<double>(info.name, Quantity::inverse_dynamics, model);
      method->inverse_dynamics(q, v, a, tau);
      method->inverse_dynamics(near, v, a, want);
      // a DH offset is added to the angle, which rounds it to ε |q|
      const double tolerance = test::torque_tolerance(model, scale, epsilon) + epsilon * size * 2.0 * scale.torque;
      for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(tau[i], want[i], tolerance) << info.name << " " << size;
    }
  }
}

/// Four joints, of which the third is parallel to the second but for an angle.
Graph nearly_parallel(double angle) {
  Graph graph;
  graph.name = "nearly parallel";
  graph.gravity = {0.0, -9.81, 2.0};
  graph.bodies.push_back({"base", {}, {}, {}});
  const auto turn = [](double x, double y) {
    return rotation_y(Turn<double>{std::cos(y), std::sin(y)}) * rotation_x(Turn<double>{std::cos(x), std::sin(x)});
  };
  const Pose<double> poses[] = {{turn(1.5, 0.3), {0, 0, 0}},
                                {turn(1.4, 0.0), {1.0, 0.0, 0.2}},
                                {turn(angle, angle), {1.0, 0.0, 0.7}},
                                {turn(1.2, 0.0), {1.0, 0.0, 0.3}}};
  for (int i = 0; i < 4; ++i) {
    GraphJoint joint;
    joint.name = "joint" + std::to_string(i + 1);
    joint.parent = graph.bodies.back().name;
    joint.child = "link" + std::to_string(i + 1);
    joint.in_parent = poses[i];
    graph.joints.push_back(joint);
    graph.bodies.push_back({joint.child, {1.0, {0.5, 0.1, 0.2}, {0.1, 0.11, 0.12, 0, 0, 0}}, {}, {}});
  }
  return graph;
}

/// M changes with the angle as with any other number: by its derivative, with no loss on the way to parallel axes.
TEST(Limits, AxesMayBeNearlyParallel) {
  const std::vector<double> q{0.3, 0.4, 0.5, 0.6};
  const auto mass_matrix = [&](double angle) {
    const Model model = build(nearly_parallel(angle));
    composite_body::Workspace<double> ws(model);
    std::vector<double> M(16);
    composite_body::mass_matrix(model, ws, q, {M.data(), 4, 4});
    return M;
  };
  const std::vector<double> parallel = mass_matrix(0.0), tilted = mass_matrix(0.1), back = mass_matrix(-0.1);
  const double size = test::largest(parallel);
  const std::vector<double> close = mass_matrix(1e-4), closer = mass_matrix(-1e-4);
  for (const double angle : {1e-3, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-12}) {
    const std::vector<double> M = mass_matrix(angle);
    for (std::size_t i = 0; i < 16; ++i) {
      const double slope = (close[i] - closer[i]) / 2e-4;
      // what the second derivative adds, and (d / |p|)² ε of rounding, with d at most 30 |p|
      EXPECT_NEAR(M[i], parallel[i] + slope * angle,
                  10.0 * size * (angle * angle + 1e-8 * angle) + 900.0 * epsilon * size)
          << angle << " element " << i;
    }
  }
  EXPECT_GT(std::fabs(tilted[0] - back[0]), 1e-3);  // the angle does matter
}

/// Links of no length: all axes through one point, as in a wrist.
TEST(Limits, LinksMayHaveNoLength) {
  std::mt19937_64 generator(9);
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    Graph graph = test::random_robot({.bodies = 6, .only_one_degree = true}, seed);
    for (GraphJoint& joint : graph.joints) {
      joint.kind = JointKind::revolute;
      joint.pitch = 0.0;
      joint.in_parent.p = joint.in_child.p = {0, 0, 0};
    }
    const Model model = build(graph);
    const std::vector<double> q = random_position(model, generator), v = random_velocity(model, generator, 2.0),
                              a = random_velocity(model, generator, 3.0);
    const test::StateScale scale = test::scale_of(model, q, v, a);
    std::vector<double> tau(6), out(6);
    newton_euler::Workspace<double> ws(model);
    newton_euler::inverse_dynamics(model, ws, q, v, a, tau);
    for (const MethodInfo& info : methods()) {
      if (!info.refusal(model).empty() || !info.can(Quantity::forward_dynamics)) continue;
      make_method<double>(info.name, Quantity::forward_dynamics, model)->forward_dynamics(q, v, tau, out);
      const double tolerance = (info.scope.solid_links ? test::link_condition(model) : 1.0) *
                               test::acceleration_tolerance(model, scale, epsilon);
      for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(out[i], a[i], tolerance) << info.name << " seed " << seed;
    }
  }
}

TEST(Limits, NumbersThatOverflowAreRefused) {
  Graph graph = load_graph("puma560");
  graph.bodies[2].mass.com.x = 1e200;
  try {
    build(graph);
    ADD_FAILURE() << "built";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("overflow"), std::string::npos) << error.what();
  }
}

/// Stretched out, an arm loses a direction at its tip; its dynamics do not.
TEST(Limits, SingularPosesHaveDynamics) {
  const Model model = load("planar2r");
  std::vector<double> tau(2), out(2);
  newton_euler::Workspace<double> ws(model);
  articulated_body::Workspace<double> ab(model);
  Kinematics<double> kinematics(model);
  for (const double off : {0.0, 1e-15, 1e-9, 1e-3}) {
    const std::vector<double> q{0.3, off}, v{1.0, -2.0}, a{3.0, 4.0};
    newton_euler::inverse_dynamics(model, ws, q, v, a, tau);
    articulated_body::forward_dynamics(model, ab, q, v, tau, out);
    const double tolerance = test::acceleration_tolerance(model, test::scale_of(model, q, v, a), epsilon);
    for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(out[i], a[i], tolerance) << off;
  }
}

}  // namespace
}  // namespace ulna
