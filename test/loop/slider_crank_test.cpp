// The bundled slider-crank against the reference in test/golden, with either of two joints cut.
#include <gtest/gtest.h>

#include "support/golden.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/loop/assembly.hpp"
#include "ulna/loop/constrained_dynamics.hpp"
#include "ulna/loop/mobility.hpp"
#include "ulna/loop/rates.hpp"

namespace ulna {
namespace {

using test::golden;

/// As bundled the slider slides on the ground, q[2] = a − 1.1, and its pin is cut. Or it hangs on the rod,
/// q[2] = alpha3, and its guide is cut.
Graph slider_crank(bool cut_at_guide) {
  Graph graph = load_graph("slider_crank");
  if (!cut_at_guide) return graph;
  GraphJoint& pin = graph.joints[2];
  GraphLoop& guide = graph.loops[0];
  std::swap(pin.name, guide.name);
  pin.kind = JointKind::revolute;
  pin.parent = guide.parent;
  pin.in_parent = guide.in_parent;
  pin.axis = {0, 0, 1};
  pin.offset = 0.0;
  guide.kind = JointKind::prismatic;
  guide.parent = "base";
  guide.in_parent = guide.in_child = {{0, 0, 1, 0, 1, 0, -1, 0, 0}, {0, 0, 0}};  // z of the joint frame is x
  return graph;
}

class SliderCrank : public ::testing::TestWithParam<bool> {};

TEST_P(SliderCrank, KinematicsOverATurn) {
  const Model model = build(slider_crank(GetParam()));
  LoopEquations equations(model);
  const std::vector<int> crank{0};
  const std::vector<double> zero(static_cast<std::size_t>(equations.rows()), 0.0), one{1.0}, none{0.0};
  std::vector<double> q(3, 0.0);
  const nlohmann::json rows = golden("004_slider_crank")["kinematics_w1"];
  for (const nlohmann::json& row : rows) {
    q[0] = row["alpha1"];
    const Assembly closed = assemble(model, q, crank);  // from the position before: a step of 15 degrees
    ASSERT_TRUE(closed.closed) << closed.residual;
    q = closed.q;
    EXPECT_NEAR(q[1], row["alpha2"].get<double>(), 1e-10);
    EXPECT_NEAR(q[2] + (GetParam() ? 0.0 : 1.1), row[GetParam() ? "alpha3" : "a"].get<double>(), 1e-10);
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
  const Model model = build(slider_crank(GetParam()));
  LoopEquations equations(model);
  const Assembly closed = assemble(model, std::vector{0.4, -0.5, GetParam() ? 0.1 : -0.1}, std::vector{0});
  ASSERT_TRUE(closed.closed);
  equations.update(closed.q);
  const LoopMobility mobility = loop_mobility(equations, model.nv());
  EXPECT_EQ(mobility.mobility(), 1);
  EXPECT_EQ(mobility.redundant(), 3);
}

TEST_P(SliderCrank, DrivingTorqueAndReaction) {
  const Model model = build(slider_crank(GetParam()));
  ConstrainedDynamics dynamics(model);
  LoopEquations equations(model);
  const std::vector<int> crank{0};
  std::vector<double> q(3, 0.0), tau(3);
  const nlohmann::json rows = golden("004_slider_crank")["driving_torque_w10"];
  for (const nlohmann::json& row : rows) {
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

}  // namespace
}  // namespace ulna
