// Closed loops against closed forms, the reference in test/golden, and laws of mechanics.
#include <gtest/gtest.h>

#include <numbers>
#include <random>

#include "support/golden.hpp"
#include "ulna/import/load.hpp"
#include "ulna/loop/constrained_dynamics.hpp"
#include "ulna/loop/mobility.hpp"
#include "ulna/model/random_state.hpp"

namespace ulna {
namespace {

using test::golden;

constexpr double pi = std::numbers::pi;

GraphBody body(const std::string& name, double mass, const Vec3<double>& com, const Sym3<double>& inertia) {
  return {name, {mass, com, inertia}, {}, {}};
}

GraphJoint joint(const std::string& name, JointKind kind, const std::string& parent, const std::string& child,
                 const Vec3<double>& at, const Vec3<double>& axis = {0, 0, 1}) {
  GraphJoint j;
  j.name = name;
  j.kind = kind;
  j.parent = parent;
  j.child = child;
  j.in_parent.p = at;
  j.axis = axis;
  return j;
}

GraphLoop loop(const std::string& name, LoopKind kind, const std::string& parent, const Pose<double>& in_parent,
               const std::string& child, const Pose<double>& in_child) {
  return {name, kind, parent, child, in_parent, in_child, 0.0, {}};
}

Pose<double> at(const Vec3<double>& p) { return {Mat3<double>::identity(), p}; }

/// A uniform rod of length l along x, as the reference has it: a third of a plane's inertia is missing.
GraphBody rod(const std::string& name, double mass, double length) {
  const double i = mass * length * length / 12.0;
  return body(name, mass, {0.5 * length, 0, 0}, {0, i, i, 0, 0, 0});
}

/// golden/004: the slider hangs on the rod and is guided by a prismatic joint that was cut, or it
/// slides on the ground and its pin was cut.
Graph slider_crank(bool cut_at_guide) {
  const nlohmann::json g = golden("004_slider_crank");
  Graph graph;
  graph.name = "slider_crank";
  graph.gravity = {0, -9.81, 0};
  const double l1 = g["l1"], l2 = g["l2"];
  GraphBody crank = rod("crank", g["masses"]["m1"], l1), coupler = rod("rod", g["masses"]["m2"], l2);
  graph.bodies = {body("ground", 0, {0, 0, 0}, {0, 0, 0, 0, 0, 0}), crank, coupler,
                  body("slider", g["masses"]["m3"], {0, 0, 0}, {0.001, 0.001, 0.001, 0, 0, 0})};
  graph.joints = {joint("crank_pin", JointKind::revolute, "ground", "crank", {0, 0, 0}),
                  joint("rod_pin", JointKind::revolute, "crank", "rod", {l1, 0, 0})};
  const Pose<double> along_x{{0, 0, 1, 0, 1, 0, -1, 0, 0}, {0, 0, 0}};  // z of the joint frame is x
  if (cut_at_guide) {
    graph.joints.push_back(joint("slider_pin", JointKind::revolute, "rod", "slider", {l2, 0, 0}));
    graph.loops = {loop("guide", LoopKind::prismatic, "ground", along_x, "slider", along_x)};
  } else {
    graph.joints.push_back(joint("guide", JointKind::prismatic, "ground", "slider", {0, 0, 0}, {1, 0, 0}));
    graph.loops = {loop("slider_pin", LoopKind::revolute, "rod", at({l2, 0, 0}), "slider", at({0, 0, 0}))};
  }
  return graph;
}

class SliderCrank : public ::testing::TestWithParam<bool> {};

TEST_P(SliderCrank, KinematicsOverATurn) {
  const ClosedModel model = build_closed(slider_crank(GetParam()));
  LoopEquations equations(model);
  const std::vector<int> crank{0};
  const std::vector<double> zero(static_cast<std::size_t>(equations.rows()), 0.0), one{1.0}, none{0.0};
  std::vector<double> q(3, 0.0);
  q[2] = GetParam() ? 0.0 : 1.1;
  for (const nlohmann::json& row : golden("004_slider_crank")["kinematics_w1"]) {
    q[0] = row["alpha1"];
    const Assembly closed = assemble(model, q, crank);  // from the position before: a step of 15 degrees
    ASSERT_TRUE(closed.closed) << closed.residual;
    q = closed.q;
    EXPECT_NEAR(q[1], row["alpha2"].get<double>(), 1e-10);
    EXPECT_NEAR(q[2], row[GetParam() ? "alpha3" : "a"].get<double>(), 1e-10);
    equations.update(q);
    const std::vector<double> v = dependent_rates(equations, crank, one, zero);
    EXPECT_NEAR(v[1], row["vel"][1].get<double>(), 1e-10);
    EXPECT_NEAR(v[2], row["vel"][GetParam() ? 2 : 3].get<double>(), 1e-10);
    equations.update_bias(v);
    const std::vector<double> a = dependent_rates(equations, crank, none, equations.b());
    EXPECT_NEAR(a[1], row["acc"][1].get<double>(), 1e-10);
    EXPECT_NEAR(a[2], row["acc"][GetParam() ? 2 : 3].get<double>(), 1e-10);
  }
}

/// A planar loop written in space: five equations, three of them say the same as the plane does.
TEST_P(SliderCrank, HasOneFreedomAndThreeRedundantEquations) {
  const ClosedModel model = build_closed(slider_crank(GetParam()));
  LoopEquations equations(model);
  const Assembly closed = assemble(model, std::vector{0.4, -0.5, GetParam() ? 0.1 : 1.0}, std::vector{0});
  ASSERT_TRUE(closed.closed);
  equations.update(closed.q);
  const LoopMobility mobility = loop_mobility(equations, model.tree.nv());
  EXPECT_EQ(mobility.mobility(), 1);
  EXPECT_EQ(mobility.redundant(), 3);
}

TEST_P(SliderCrank, DrivingTorqueAndReaction) {
  const ClosedModel model = build_closed(slider_crank(GetParam()));
  ConstrainedDynamics dynamics(model);
  LoopEquations equations(model);
  const std::vector<int> crank{0};
  std::vector<double> q(3, 0.0), tau(3);
  q[2] = GetParam() ? 0.0 : 1.1;
  for (const nlohmann::json& row : golden("004_slider_crank")["driving_torque_w10"]) {
    q[0] = row["alpha1"];
    q = assemble(model, q, crank).q;
    equations.update(q);
    const std::vector<double> zero(static_cast<std::size_t>(equations.rows()), 0.0);
    const std::vector<double> v = dependent_rates(equations, crank, std::vector{10.0}, zero);
    equations.update_bias(v);
    const std::vector<double> a = dependent_rates(equations, crank, std::vector{0.0}, equations.b());
    dynamics.inverse_dynamics(q, v, a, crank, tau);
    const double wanted = row["torque"];
    EXPECT_NEAR(tau[0], wanted, 1e-10 * std::max(1.0, std::abs(wanted)));
    EXPECT_EQ(tau[1], 0.0);
    if (GetParam()) continue;
    // Newton's law of the slider: the pin alone moves it
    const Force<double> pin = dynamics.equations().reaction(0, dynamics.lambda());
    EXPECT_NEAR(pin.force.x, 0.8 * a[2], 1e-9);
  }
}

INSTANTIATE_TEST_SUITE_P(Cuts, SliderCrank, ::testing::Bool(),
                         [](const auto& one) { return one.param ? "guide" : "pin"; });

Graph four_bar(double ground, double crank, double coupler, double rocker) {
  Graph graph;
  graph.name = "four_bar";
  graph.gravity = {0, -9.81, 0};
  graph.bodies = {body("ground", 0, {0, 0, 0}, {0, 0, 0, 0, 0, 0}), rod("crank", 1, crank), rod("coupler", 2, coupler),
                  rod("rocker", 1.5, rocker)};
  graph.joints = {joint("a", JointKind::revolute, "ground", "crank", {0, 0, 0}),
                  joint("b", JointKind::revolute, "crank", "coupler", {crank, 0, 0}),
                  joint("d", JointKind::revolute, "ground", "rocker", {ground, 0, 0})};
  graph.loops = {loop("c", LoopKind::revolute, "coupler", at({coupler, 0, 0}), "rocker", at({rocker, 0, 0}))};
  return graph;
}

/// The rocker's angle by the law of cosines on the diagonal.
TEST(FourBar, IsTheClosedForm) {
  const double g = 0.8, a = 0.3, b = 0.7, c = 0.5;
  const ClosedModel model = build_closed(four_bar(g, a, b, c));
  std::vector<double> q{0.0, 0.5, 2.0};
  for (int i = 0; i <= 72; ++i) {
    q[0] = 2.0 * pi * i / 72.0;
    const Assembly closed = assemble(model, q, std::vector{0});
    ASSERT_TRUE(closed.closed);
    q = closed.q;
    const double dx = a * std::cos(q[0]) - g, dy = a * std::sin(q[0]), diagonal = std::hypot(dx, dy);
    const double inner = std::acos((diagonal * diagonal + c * c - b * b) / (2.0 * diagonal * c));
    EXPECT_NEAR(std::remainder(q[2] - (std::atan2(dy, dx) - inner), 2.0 * pi), 0.0, 1e-11) << i;
  }
}

/// Six legs: two hinges and a slide each, a ball at the platform; leg 1 carries the platform in the
/// tree, the others are closed by balls.
struct Stewart {
  std::vector<Vec3<double>> base, plate;
  Graph graph;

  Stewart() {
    graph.name = "stewart";
    graph.bodies = {body("ground", 0, {0, 0, 0}, {0, 0, 0, 0, 0, 0})};
    for (int i = 0; i < 6; ++i) {
      const double turn = (i / 2) * 2.0 * pi / 3.0, side = i % 2 == 0 ? 1.0 : -1.0;
      base.push_back({std::cos(turn + side * 0.2), std::sin(turn + side * 0.2), 0});
      plate.push_back({0.5 * std::cos(turn + side * 0.8), 0.5 * std::sin(turn + side * 0.8), 0});
      add_leg(i + 1, base.back());
    }
    graph.bodies.push_back(body("plate", 10, {0, 0, 0.05}, {0.6, 0.6, 1.1, 0, 0, 0}));
    GraphJoint ball = joint("ball1", JointKind::spherical, "foot1", "plate", {0, 0, 0});
    ball.in_child.p = plate[0];
    graph.joints.push_back(ball);
    for (int i = 1; i < 6; ++i)
      graph.loops.push_back(loop("ball" + std::to_string(i + 1), LoopKind::spherical, "foot" + std::to_string(i + 1),
                                 at({0, 0, 0}), "plate", at(plate[static_cast<std::size_t>(i)])));
  }

  void add_leg(int number, const Vec3<double>& from) {
    const std::string n = std::to_string(number);
    graph.bodies.push_back(body("cross" + n, 0.1, {0, 0, 0}, {1e-3, 1e-3, 1e-3, 0, 0, 0}));
    graph.bodies.push_back(body("tube" + n, 1, {0, 0, 0.3}, {0.02, 0.02, 1e-3, 0, 0, 0}));
    graph.bodies.push_back(body("foot" + n, 0.5, {0, 0, -0.3}, {0.02, 0.02, 1e-3, 0, 0, 0}));
    graph.joints.push_back(joint("x" + n, JointKind::revolute, "ground", "cross" + n, from, {1, 0, 0}));
    graph.joints.push_back(joint("y" + n, JointKind::revolute, "cross" + n, "tube" + n, {0, 0, 0}, {0, 1, 0}));
    graph.joints.push_back(joint("leg" + n, JointKind::prismatic, "tube" + n, "foot" + n, {0, 0, 0}));
  }
};

std::vector<int> legs_of(const Model& tree) {
  std::vector<int> legs;
  for (const JointInfo& one : tree.joints())
    if (one.kind == JointKind::prismatic) legs.push_back(tree.bodies()[static_cast<std::size_t>(one.body)].v_index);
  return legs;
}

/// A closed position of the platform: legs given, the rest found.
std::vector<double> stewart_position(const ClosedModel& model, const std::vector<double>& lengths) {
  std::vector<double> q = model.tree.neutral();
  const std::vector<int> legs = legs_of(model.tree);
  for (std::size_t k = 0; k < legs.size(); ++k)
    q[static_cast<std::size_t>(model.tree.q_of_v()[static_cast<std::size_t>(legs[k])])] = lengths[k];
  const Assembly closed = assemble(model, q, legs);
  EXPECT_TRUE(closed.closed) << closed.residual << " at " << closed.worst_joint;
  return closed.q;
}

/// Inverse kinematics in closed form: a leg is as long as its two ends are apart.
TEST(StewartPlatform, LegsAreAsLongAsTheirEndsAreApart) {
  const Stewart stewart;
  const ClosedModel model = build_closed(stewart.graph);
  const std::vector<double> lengths{1.0, 1.1, 1.05, 0.95, 1.02, 1.08};
  const std::vector<double> q = stewart_position(model, lengths);
  Kinematics<double> kinematics(model.tree);
  kinematics.update_positions(q);
  const Pose<double> plate = kinematics.pose(*model.tree.find_frame("plate"));
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(norm(plate * stewart.plate[i] - stewart.base[i]), lengths[i], 1e-11);
  LoopEquations equations(model);
  equations.update(q);
  const LoopMobility mobility = loop_mobility(equations, model.tree.nv());
  EXPECT_EQ(mobility.mobility(), 6);
  EXPECT_EQ(mobility.redundant(), 0);
}

/// The power of the legs is the rate of kinetic and potential energy: virtual work.
TEST(StewartPlatform, PowerOfTheLegsIsTheRateOfEnergy) {
  const ClosedModel model = build_closed(Stewart().graph);
  const std::vector<int> legs = legs_of(model.tree);
  const std::vector<double> q = stewart_position(model, {1.0, 1.1, 1.05, 0.95, 1.02, 1.08});
  LoopEquations equations(model);
  ConstrainedDynamics dynamics(model);
  equations.update(q);
  const std::vector<double> zero(static_cast<std::size_t>(equations.rows()), 0.0);
  const std::vector<double> rates{0.3, -0.2, 0.1, 0.25, -0.15, 0.05}, pushes{1.0, -0.5, 0.7, 0.2, -0.9, 0.4};
  const std::vector<double> v = dependent_rates(equations, legs, rates, zero);
  equations.update_bias(v);
  const std::vector<double> a = dependent_rates(equations, legs, pushes, equations.b());
  std::vector<double> tau(v.size());
  dynamics.inverse_dynamics(q, v, a, legs, tau);
  double power = 0.0, inertial = 0.0;
  for (std::size_t k = 0; k < v.size(); ++k) power += tau[k] * v[k];
  // vᵀ(M a + C v + g): inverse dynamics of the tree, along the motion
  std::vector<double> of_tree(v.size());
  make_method<double>("newton_euler", Quantity::inverse_dynamics, model.tree)->inverse_dynamics(q, v, a, of_tree);
  for (std::size_t k = 0; k < v.size(); ++k) inertial += of_tree[k] * v[k];
  EXPECT_NEAR(power, inertial, 1e-10 * std::abs(inertial));
  // and forward dynamics under these torques gives the motion back
  std::vector<double> back(v.size());
  dynamics.forward_dynamics(q, v, tau, back);
  for (std::size_t k = 0; k < v.size(); ++k) EXPECT_NEAR(back[k], a[k], 1e-8);
}

struct Mechanism {
  Graph graph;
  std::vector<double> q;
  std::vector<int> held;
};

std::vector<Mechanism> mechanisms() {
  std::vector<Mechanism> all{{slider_crank(true), {0.4, -0.5, 0.1}, {0}},
                             {slider_crank(false), {0.4, -0.5, 1.0}, {0}},
                             {four_bar(0.8, 0.3, 0.7, 0.5), {0.4, 0.5, 2.0}, {0}}};
  const Stewart stewart;
  const ClosedModel model = build_closed(stewart.graph);
  all.push_back({stewart.graph, stewart_position(model, {1.0, 1.1, 1.05, 0.95, 1.02, 1.08}), legs_of(model.tree)});
  return all;
}

TEST(ForwardDynamics, BothWaysAgreeAndKeepTheLoopsClosed) {
  std::mt19937_64 generator(3);
  for (const Mechanism& one : mechanisms()) {
    const ClosedModel model = build_closed(one.graph);
    const std::vector<double> q = assemble(model, one.q, one.held).q;
    LoopEquations equations(model);
    equations.update(q);
    const std::vector<double> zero(static_cast<std::size_t>(equations.rows()), 0.0);
    std::vector<double> rates(one.held.size(), 0.7);
    const std::vector<double> v = dependent_rates(equations, one.held, rates, zero);
    const std::vector<double> tau = random_velocity(model.tree, generator, 5.0);
    std::vector<double> a(v.size()), b(v.size());
    ConstrainedDynamics dynamics(model);
    dynamics.forward_dynamics(q, v, tau, a);
    const LoopEquations& at = dynamics.equations();
    double size = 1.0;
    for (const double x : a) size = std::max(size, std::abs(x));
    for (int i = 0; i < at.rows(); ++i) {
      double sum = -at.b()[static_cast<std::size_t>(i)];
      for (int k = 0; k < model.tree.nv(); ++k) sum += at.matrix()(i, k) * a[static_cast<std::size_t>(k)];
      EXPECT_NEAR(sum, 0.0, 1e-9 * size) << one.graph.name << " row " << i;
    }
    dynamics.forward_dynamics_independent(q, v, tau, b);
    for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(a[k], b[k], 1e-9 * size) << one.graph.name;
  }
}

/// A(q + ε v): the residual's derivative along a motion is A v, and A v's is A a − b.
TEST(LoopEquations, AreDerivativesOfTheResidual) {
  std::mt19937_64 generator(5);
  for (const LoopKind kind : {LoopKind::revolute, LoopKind::prismatic, LoopKind::screw, LoopKind::spherical,
                              LoopKind::universal, LoopKind::fixed, LoopKind::planar}) {
    Graph graph = load_graph("panda_like");
    graph.loops = {loop("cut", kind, "link3", at({0.1, 0, 0.05}), "link7", at({0, 0.02, 0}))};
    graph.loops[0].pitch = 0.2;
    const ClosedModel model = build_closed(graph);
    LoopEquations equations(model);
    const std::vector<double> q = random_position(model.tree, generator), v = random_velocity(model.tree, generator);
    const auto moved = [&](double h) {
      std::vector<double> there = q;
      for (std::size_t k = 0; k < q.size(); ++k) there[k] += h * v[k];
      return there;
    };
    const auto rate_at = [&](double h, int row) {
      equations.update(moved(h));
      double sum = 0.0;
      for (int k = 0; k < model.tree.nv(); ++k) sum += equations.matrix()(row, k) * v[static_cast<std::size_t>(k)];
      return sum;
    };
    const double h = 1e-5;
    for (int row = 0; row < equations.rows(); ++row) {
      // a screw's turn is an angle only while the axes are aligned
      if (kind == LoopKind::screw && row == 4) continue;
      equations.update(moved(h));
      const double after = equations.residual()[static_cast<std::size_t>(row)];
      equations.update(moved(-h));
      const double before = equations.residual()[static_cast<std::size_t>(row)];
      const double rate = rate_at(0.0, row), bend = (rate_at(h, row) - rate_at(-h, row)) / (2.0 * h);
      // central differences: third derivatives of order 10 times h², and rounding over h
      EXPECT_NEAR((after - before) / (2.0 * h), rate, 1e-8) << name_of(kind) << row;
      equations.update(q);
      equations.update_bias(v);
      EXPECT_NEAR(-equations.b()[static_cast<std::size_t>(row)], bend, 1e-8) << name_of(kind) << row;
    }
  }
}

TEST(Words, LoopsThatCannotBe) {
  Graph graph = four_bar(0.8, 0.3, 0.7, 0.5);
  EXPECT_THROW(build(graph), InputError);
  graph.loops[0].child = "rokcer";
  EXPECT_THROW(build_closed(graph), InputError);
  graph.loops[0].child = "coupler";
  EXPECT_THROW(build_closed(graph), InputError);
  const ClosedModel apart = build_closed(four_bar(3.0, 0.3, 0.7, 0.5));
  const Assembly open = assemble(apart, std::vector{0.3, 0.2, 2.0}, std::vector{0});
  EXPECT_FALSE(open.closed);
  EXPECT_GT(open.residual, 1.0);  // 3 − 0.3 − 0.7 − 0.5 at best
  EXPECT_EQ(open.worst_joint, "c");
}

TEST(Files, KeepLoops) {
  const Graph graph = parse_toml(R"(
[[body]]
name = "crank"
mass = 1
inertia = [0.1, 0.1, 0.1]
[[body]]
name = "coupler"
mass = 1
inertia = [0.1, 0.1, 0.1]
[[joint]]
name = "a"
kind = "revolute"
parent = "base"
child = "crank"
[[joint]]
name = "b"
kind = "revolute"
parent = "crank"
child = "coupler"
pose = { xyz = [0.3, 0, 0] }
[[loop]]
name = "c"
kind = "prismatic"
parent = "base"
child = "coupler"
pose = { rpy = [0, "90 deg", 0] }
child_pose = { xyz = [0.5, 0, 0], rpy = [0, "90 deg", 0] }
)",
                                 "loop.toml");
  ASSERT_EQ(graph.loops.size(), 1u);
  EXPECT_EQ(graph.loops[0].kind, LoopKind::prismatic);
  EXPECT_GT(graph.loops[0].source.line, 0);
  EXPECT_EQ(build_closed(graph).constraint_count(), 5);
}

}  // namespace
}  // namespace ulna
