// Cylindrical, universal and planar joints against the same mechanism of one-degree joints with massless links between:
// same positions, same dynamics. And what their numbers are called.
#include <gtest/gtest.h>

#include "support/random_robot.hpp"
#include "support/tolerance.hpp"
#include "support/turn_to.hpp"
#include "ulna/dynamics/newton_euler/convective_inertia.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/io/robot/write.hpp"
#include "ulna/model/cut_loops.hpp"
#include "ulna/model/random_state.hpp"
#include "ulna/model/transform.hpp"
#include "ulna/simulate/simulation.hpp"

namespace ulna {
namespace {

constexpr JointKind compound[] = {JointKind::cylindrical, JointKind::universal, JointKind::planar};

struct Step {
  JointKind kind;
  Vec3<double> axis;
};

/// What a joint does, one degree after the other.
std::vector<Step> steps_of(const GraphJoint& joint) {
  const Mat3<double> R = test::turn_to((1.0 / norm(joint.axis)) * joint.axis);
  switch (joint.kind) {
    case JointKind::cylindrical: return {{JointKind::revolute, joint.axis}, {JointKind::prismatic, joint.axis}};
    case JointKind::universal: return {{JointKind::revolute, {1, 0, 0}}, {JointKind::revolute, {0, 1, 0}}};
    case JointKind::planar:
      return {{JointKind::prismatic, R.column_x()},
              {JointKind::prismatic, R.column_y()},
              {JointKind::revolute, joint.axis}};
    default: return {{joint.kind, joint.axis}};
  }
}

Graph taken_apart(const Graph& graph) {
  Graph apart = graph;
  apart.joints.clear();
  for (const GraphJoint& joint : graph.joints) {
    const std::vector<Step> steps = steps_of(joint);
    for (std::size_t k = 0; k < steps.size(); ++k) {
      GraphJoint one = joint;
      const bool first = k == 0, last = k + 1 == steps.size();
      const auto between = [&](std::size_t number) { return joint.name + "_link" + std::to_string(number); };
      one.name = joint.name + "_" + std::to_string(k);
      one.kind = steps[k].kind;
      one.axis = steps[k].axis;
      if (!first) one.parent = between(k - 1);
      if (!last) one.child = between(k);
      if (!first) one.in_parent = Pose<double>::identity();
      if (!last) one.in_child = Pose<double>::identity();
      if (!last) apart.bodies.push_back({one.child, {}, {}, {}});
      apart.joints.push_back(one);
    }
  }
  return apart;
}

/// A tree or chain of the compound joints and hinges.
Graph compound_robot(std::uint64_t seed, bool branched, bool free_base, bool passive = false) {
  Graph graph = test::random_robot({.bodies = 6, .branched = branched, .free_base = free_base}, seed);
  std::mt19937_64 generator(seed);
  for (GraphJoint& joint : graph.joints) {
    const std::uint64_t choice = generator() % 4;
    joint.kind = choice < 3 ? compound[choice] : JointKind::revolute;
    joint.pitch = joint.offset = 0.0;
    joint.passive = {};
    if (passive && !slides(joint.kind)) joint.passive = {0.4, 0.0, 0.0, 0.0, 0.2};
  }
  return graph;
}

class CompoundJoints : public ::testing::TestWithParam<std::uint64_t> {
 protected:
  CompoundJoints()
      : graph(compound_robot(GetParam(), GetParam() % 2 == 0, GetParam() % 3 == 0, GetParam() % 5 == 0)),
        whole(build(graph)),
        apart(build(taken_apart(graph))),
        n(static_cast<std::size_t>(whole.nv())),
        generator(GetParam()) {}

  void next() {
    q = random_position(whole, generator);
    v = random_velocity(whole, generator, 1.5);
    a = random_velocity(whole, generator, 2.0);
    scale = test::scale_of(apart, q, v, a);
  }

  Graph graph;
  Model whole, apart;
  std::size_t n;
  std::mt19937_64 generator;
  std::vector<double> q, v, a;
  test::StateScale scale{};
};

TEST_P(CompoundJoints, MoveLikeTheirParts) {
  ASSERT_EQ(whole.nv(), apart.nv());
  Kinematics<double> one(whole), other(apart);
  for (int k = 0; k < 20; ++k) {
    next();
    one.update_positions(q);
    one.update_velocities(v);
    one.update_accelerations(v, a);
    other.update_positions(q);
    other.update_velocities(v);
    other.update_accelerations(v, a);
    for (const Frame& link : whole.links()) {
      const auto x = one.rates_of(link), y = other.rates_of(*apart.find_frame(link.name));
      // links of half a metre and slides of one, six of them: positions of 10 m, rates of some hundred
      EXPECT_LT(norm(x.pose.p - y.pose.p), 1e-13);
      EXPECT_LT(norm(x.velocity - y.velocity), 1e-12);
      EXPECT_LT(norm(x.acceleration - y.acceleration), 1e-11);
      EXPECT_LT(norm(x.alpha - y.alpha), 1e-11);
    }
  }
}

TEST_P(CompoundJoints, HaveTheDynamicsOfTheirParts) {
  newton_euler::Workspace<double> one(whole), other(apart);
  composite_body::Workspace<double> one_M(whole), other_M(apart);
  articulated_body::Workspace<double> solve(whole);
  std::vector<double> x(n), y(n), M(n * n), N(n * n);
  for (int k = 0; k < 20; ++k) {
    next();
    const double torque = test::torque_tolerance(apart, scale, 2.3e-16);
    newton_euler::inverse_dynamics<double>(whole, one, q, v, a, x);
    newton_euler::inverse_dynamics<double>(apart, other, q, v, a, y);
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(x[i], y[i], torque);
    composite_body::mass_matrix<double>(whole, one_M, q, {M.data(), whole.nv(), whole.nv()});
    composite_body::mass_matrix<double>(apart, other_M, q, {N.data(), whole.nv(), whole.nv()});
    for (std::size_t i = 0; i < n * n; ++i) EXPECT_NEAR(M[i], N[i], torque);
    articulated_body::forward_dynamics<double>(whole, solve, q, v, y, x);
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(x[i], a[i], test::acceleration_tolerance(apart, scale, 2.3e-16));
  }
}

/// The Coriolis matrix too, which is one of many: Ṡ of each column is that of its part.
TEST_P(CompoundJoints, HaveTheCoriolisMatrixOfTheirParts) {
  composite_body::CoriolisWorkspace<double> one(whole), other(apart);
  newton_euler::ConvectiveWorkspace<double> one_C(whole), other_C(apart);
  std::vector<double> C(n * n), D(n * n);
  for (int k = 0; k < 20; ++k) {
    next();
    const double torque = test::torque_tolerance(apart, scale, 2.3e-16);
    composite_body::coriolis_matrix<double>(whole, one, q, v, {C.data(), whole.nv(), whole.nv()});
    composite_body::coriolis_matrix<double>(apart, other, q, v, {D.data(), whole.nv(), whole.nv()});
    for (std::size_t i = 0; i < n * n; ++i) EXPECT_NEAR(C[i], D[i], torque);
    newton_euler::convective_inertia<double>(whole, one_C, q, v, {C.data(), whole.nv(), whole.nv()});
    newton_euler::convective_inertia<double>(apart, other_C, q, v, {D.data(), whole.nv(), whole.nv()});
    for (std::size_t i = 0; i < n; ++i) {
      double x = 0.0, y = 0.0;
      for (std::size_t j = 0; j < n; ++j) x += C[j * n + i] * v[j];
      for (std::size_t j = 0; j < n; ++j) y += D[j * n + i] * v[j];
      EXPECT_NEAR(x, y, torque);
    }
  }
}

TEST_P(CompoundJoints, KeepTheirDynamicsWhenRegrouped) {
  const Model moved = regrouped(whole);
  newton_euler::Workspace<double> one(whole), other(moved);
  std::vector<double> x(n), y(n);
  for (int k = 0; k < 20; ++k) {
    next();
    newton_euler::inverse_dynamics<double>(whole, one, q, v, a, x);
    newton_euler::inverse_dynamics<double>(moved, other, q, v, a, y);
    // inertias that move along the chain are up to its length squared larger than the body's own
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(x[i], y[i], 10.0 * test::torque_tolerance(apart, scale, 2.3e-16));
  }
}

/// Energy in any case; momentum and spin where the robot floats without gravity.
TEST_P(CompoundJoints, KeepEnergyAndMomentum) {
  Graph floating = compound_robot(GetParam(), GetParam() % 2 == 0, true);
  floating.gravity = {0, 0, 0};
  const Model model = build(floating);
  SimulationSetup setup;
  setup.q0 = random_position(model, generator);
  setup.v0 = random_velocity(model, generator);
  setup.duration = 1.0;
  setup.accuracy.relative = setup.accuracy.absolute = 1e-11;
  Trajectory trajectory;
  const RunResult result = simulate(model, setup, trajectory);
  ASSERT_EQ(result.status, RunStatus::completed) << result.reason;
  EXPECT_LE(result.largest_imbalance, 1e-8 * result.largest_energy);
  for (const char* name : {"momentum_x", "momentum_y", "momentum_z", "spin_x", "spin_y", "spin_z"})
    EXPECT_NEAR(trajectory.at(trajectory.size() - 1, name), trajectory.at(0, name), 1e-8 * result.largest_energy)
        << name;
}

INSTANTIATE_TEST_SUITE_P(Random, CompoundJoints, ::testing::Range<std::uint64_t>(1, 13));

TEST(JointNumbers, AreNamedAndHaveUnits) {
  Graph graph;
  graph.bodies.push_back({"base", {}, {}, {}});
  for (const JointKind kind : compound) {
    GraphJoint joint;
    joint.name = name_of(kind);
    joint.kind = kind;
    joint.parent = graph.bodies.back().name;
    joint.child = joint.name + "_link";
    graph.bodies.push_back({joint.child, {1, {0.1, 0.2, 0.3}, {1, 1, 1, 0, 0, 0}}, {}, {}});
    graph.joints.push_back(joint);
  }
  const std::vector<Column> columns = trajectory_columns(build(graph), false);
  std::vector<std::string> labels, units;
  for (const Column& column : columns) {
    if (column.group != "torque") continue;
    labels.push_back(column.label);
    units.push_back(column.unit);
  }
  EXPECT_EQ(labels, (std::vector<std::string>{"cylindrical angle", "cylindrical slide", "universal x", "universal y",
                                              "planar x", "planar y", "planar angle"}));
  EXPECT_EQ(units, (std::vector<std::string>{"N m", "N", "N m", "N m", "N", "N", "N m"}));
}

TEST(CompoundFiles, KeepTheirJoints) {
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    const Graph graph = compound_robot(seed, true, false, true);
    const Model written = build(graph), read = build(parse_toml(to_explicit_toml(graph), "again.toml"));
    std::mt19937_64 generator(seed);
    const auto q = random_position(written, generator);
    Kinematics<double> one(written), other(read);
    one.update_positions(q);
    other.update_positions(q);
    for (const Frame& link : written.links())
      EXPECT_LT(norm(one.pose(link).p - other.pose(*read.find_frame(link.name)).p), 1e-13);
  }
}

/// A universal joint that the tree runs against turns about its second axis first.
TEST(CompoundLoops, AJointTurnedRoundMovesTheSame) {
  Graph graph = compound_robot(1, false, false);
  graph.joints.resize(2);
  graph.bodies.resize(3);
  graph.joints[0].kind = JointKind::revolute;
  graph.joints[1].kind = JointKind::universal;
  GraphJoint ball = graph.joints[1];
  ball.name = "ball";
  ball.kind = JointKind::spherical;
  ball.parent = graph.bodies[0].name;
  graph.joints.push_back(ball);
  Graph turned = graph;
  std::swap(turned.joints[1].parent, turned.joints[1].child);
  std::swap(turned.joints[1].in_parent, turned.joints[1].in_child);
  Graph one = cut_loops(graph), other = cut_loops(turned);
  ASSERT_EQ(other.joints[1].child, graph.joints[1].child);
  one.loops.clear();
  other.loops.clear();
  const Model a = build(one), b = build(other);
  Kinematics<double> x(a), y(b);
  // The one written backwards turns about x of the child first: its two angles are the other's, swapped and negative.
  x.update_positions(std::vector{0.3, 0.5, -0.7});
  y.update_positions(std::vector{0.3, 0.5, -0.7});
  EXPECT_GT(norm(x.pose(a.links()[2]).p), 0.0);
  const Mat3<double> joint_a = transpose(x.pose(a.links()[1]).R * graph.joints[1].in_parent.R) *
                               (x.pose(a.links()[2]).R * graph.joints[1].in_child.R);
  const Mat3<double> joint_b = transpose(y.pose(b.links()[2]).R * graph.joints[1].in_child.R) *
                               (y.pose(b.links()[1]).R * graph.joints[1].in_parent.R);
  EXPECT_NEAR(joint_a.xy, 0.0, 1e-15);  // x of the frame in the parent stays perpendicular to y of the one in the child
  EXPECT_NEAR(joint_b.xy, 0.0, 1e-15);
}

}  // namespace
}  // namespace ulna
