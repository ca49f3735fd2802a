// Mechanisms led through a range, and their assembly modes.
#include <gtest/gtest.h>

#include <numbers>

#include "support/golden.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/loop/assembly_modes.hpp"
#include "ulna/simulate/loop_sweep.hpp"

namespace ulna {
namespace {

using std::numbers::pi;

Model mechanism(const std::string& name) { return build(load_graph(name)); }

/// golden/004: crank at 10 rad/s, a row every 15 degrees.
TEST(Sweep, SliderCrankOverATurn) {
  const Model model = mechanism("slider_crank");
  SweepSetup setup;
  setup.driven = {{0, 0.0, 2.0 * pi}};
  setup.steps = 360;
  setup.time = 2.0 * pi / 10.0;
  Trajectory table;
  const SweepResult result = sweep_loops(model, setup, table);
  ASSERT_TRUE(result.complete) << result.reason;
  ASSERT_EQ(table.size(), 361u);
  EXPECT_LT(result.largest_residual, 1e-12);
  EXPECT_TRUE(result.events.empty());
  const nlohmann::json golden = test::golden("004_slider_crank");
  int compared = 0;
  for (const nlohmann::json& row : golden["driving_torque_w10"]) {
    const double angle = row["alpha1"], torque = row["torque"];
    const auto i = static_cast<std::size_t>(std::lround(angle * 180.0 / pi));
    if (std::abs(angle - static_cast<double>(i) * pi / 180.0) > 1e-9) continue;
    EXPECT_NEAR(table.at(i, "tau1"), torque, 1e-9 * std::max(1.0, std::abs(torque))) << angle;
    ++compared;
  }
  EXPECT_GE(compared, 12);
  for (const nlohmann::json& row : golden["kinematics_w1"]) {
    const auto i = static_cast<std::size_t>(std::lround(row["alpha1"].get<double>() * 180.0 / pi));
    EXPECT_NEAR(table.at(i, "q3") + 1.1, row["a"].get<double>(), 1e-10);
    EXPECT_NEAR(table.at(i, "v3"), 10.0 * row["vel"][3].get<double>(), 1e-9);
    EXPECT_NEAR(table.at(i, "a3"), 100.0 * row["acc"][3].get<double>(), 1e-8);
  }
}

/// Driven by its slider a slider-crank stops at the inner dead centre, and the row before it says how near.
TEST(Sweep, EndsAtADeadCentre) {
  const Model model = mechanism("slider_crank");
  SweepSetup setup;
  setup.driven = {{2, -0.01, -0.7}};
  Trajectory table;
  const SweepResult result = sweep_loops(model, setup, table);
  EXPECT_FALSE(result.complete);
  EXPECT_NE(result.reason.find("beyond guide = -0.6"), std::string::npos) << result.reason;
  EXPECT_NEAR(table.at(table.size() - 1, "q3"), -0.6, 0.002);
}

/// Crank and rocker 0.3 m, ground and coupler 0.8 m.
Graph parallelogram() {
  Graph graph = load_graph("four_bar");
  const auto at = [](double x) { return Pose<double>{Mat3<double>::identity(), {x, 0, 0}}; };
  graph.joints[0].in_parent = at(0.0);
  graph.joints[1].in_parent = at(0.3);
  graph.joints[2].in_parent = at(0.8);
  graph.loops[0].in_parent = at(0.8);
  graph.loops[0].in_child = at(0.3);
  return graph;
}

/// It flattens at 180 degrees, where rocker and coupler may go either way.
TEST(Sweep, NamesTheChangePointOfAParallelogram) {
  const Model model = build(parallelogram());
  SweepSetup setup;
  setup.driven = {{0, pi / 2, 0.9 * pi}};
  setup.start = {pi / 2, -pi / 2, pi / 2};
  Trajectory table;
  ASSERT_TRUE(sweep_loops(model, setup, table).complete);
  for (std::size_t i = 0; i < table.size(); ++i) EXPECT_NEAR(table.at(i, "q3"), table.at(i, "q1"), 1e-10);
  EXPECT_LT(table.at(table.size() - 1, "singularity"), table.at(0, "singularity"));
  setup.driven = {{0, pi / 2, 1.5001 * pi}};
  setup.steps = 357;  // no row at the point itself
  Trajectory beyond;
  const SweepResult result = sweep_loops(model, setup, beyond);
  ASSERT_EQ(result.events.size(), 1u) << result.reason;
  EXPECT_NEAR(result.events[0].t, 0.5 / 1.0001, 1e-5);
  EXPECT_NE(result.events[0].text.find("singular position at crank_pivot = 3.14159"), std::string::npos)
      << result.events[0].text;
}

/// Rows at the change point and rows beside it: the branch and the names must not depend on them.
TEST(Sweep, GoesStraightThroughAChangePoint) {
  const Model model = build(parallelogram());
  for (const int steps : {1, 2, 7, 36, 179, 180}) {
    SweepSetup setup;
    setup.driven = {{0, pi / 2, 1.5 * pi}};
    setup.start = {pi / 2, -pi / 2, pi / 2};
    setup.steps = steps;
    Trajectory table;
    const SweepResult result = sweep_loops(model, setup, table);
    ASSERT_TRUE(result.complete) << steps << result.reason;
    EXPECT_EQ(result.events.size(), 1u) << steps;
    EXPECT_NEAR(table.at(table.size() - 1, "q3"), 1.5 * pi, 1e-9) << steps;
  }
}

/// At a double root a residual of 1e-12 leaves 1e-6 of position; torques there would be 1e20.
TEST(Sweep, LeavesDeadCentresOut) {
  const Model model = mechanism("slider_crank");
  SweepSetup setup;
  setup.driven = {{2, -0.3, -0.6}};
  Trajectory table;
  const SweepResult result = sweep_loops(model, setup, table);
  ASSERT_TRUE(result.complete) << result.reason;
  ASSERT_EQ(result.events.size(), 1u);
  EXPECT_EQ(table.size(), 360u);
  for (std::size_t i = 0; i < table.size(); ++i) EXPECT_LT(std::abs(table.at(i, "tau3")), 1e5);
}

TEST(Sweep, NamesLimitsThatArePassed) {
  SweepSetup setup;
  setup.driven = {{0, 0.0, 1.2}, {2, 0.0, -1.0}};
  const Model model = mechanism("five_bar");
  Trajectory table;
  const SweepResult result = sweep_loops(model, setup, table);
  ASSERT_EQ(result.events.size(), 1u);
  EXPECT_NE(result.events[0].text.find("left_motor passes its upper limit"), std::string::npos);
}

TEST(Assemble, WithEveryJointHeldOnlyLooks) {
  const Model model = mechanism("four_bar");
  EXPECT_TRUE(assemble(model, model.neutral(), std::vector{0, 1, 2}).closed);
  EXPECT_FALSE(assemble(model, std::vector{0.3, 0.0, 0.0}, std::vector{0, 1, 2}).closed);
}

TEST(Sweep, RefusesWhatDoesNotDetermineTheMotion) {
  const auto refusal = [](const Model& model, const SweepSetup& setup) -> std::string {
    Trajectory table;
    try {
      sweep_loops(model, setup, table);
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  SweepSetup setup;
  setup.driven = {{0, 0.0, 0.1}};
  EXPECT_NE(refusal(mechanism("five_bar"), setup).find("has 2 degrees of freedom and 1 joint is driven"),
            std::string::npos);
  setup.driven = {{2, 0.0, -0.1}};
  EXPECT_NE(refusal(mechanism("slider_crank"), setup).find("singular position"), std::string::npos);
  setup.driven = {{2, 0.5, 0.6}};
  EXPECT_NE(refusal(mechanism("slider_crank"), setup).find("'slider_pin' is off by"), std::string::npos);
  setup.driven = {{0, 0.0, NAN}};
  EXPECT_NE(refusal(mechanism("slider_crank"), setup).find("finite"), std::string::npos);
  for (const int joint : {-1, 3}) {
    setup.driven = {{joint, 0.0, 0.1}};
    EXPECT_NE(refusal(mechanism("slider_crank"), setup).find("that this robot lacks"), std::string::npos);
  }
  EXPECT_NE(refusal(load("planar2r"), setup).find("no closed loops"), std::string::npos);
}

/// Elbow up and down, left and right: as many as circles meet.
TEST(AssemblyModes, AreAllThatTheClosedFormHas) {
  const Model four_bar = mechanism("four_bar");
  EXPECT_EQ(assembly_modes(four_bar, std::vector{0.5, 0.0, 0.0}, std::vector{0}).size(), 2u);
  const Model five_bar = mechanism("five_bar");
  EXPECT_EQ(assembly_modes(five_bar, std::vector{0.1, 0.0, 0.1, 0.0}, std::vector{0, 2}).size(), 2u);
  const Model slider_crank = mechanism("slider_crank");
  const auto modes = assembly_modes(slider_crank, std::vector{0.4, -0.5, -0.02}, std::vector{0});
  ASSERT_EQ(modes.size(), 2u);
  const double forward = 0.3 * std::cos(0.4) + 0.8 * std::cos(std::asin(0.3 * std::sin(0.4) / 0.8)) - 1.1;
  EXPECT_NEAR(modes[0][2], forward, 1e-11);
  EXPECT_NEAR(modes[1][2], 2.0 * 0.3 * std::cos(0.4) - 2.2 - forward, 1e-11);
}

}  // namespace
}  // namespace ulna
