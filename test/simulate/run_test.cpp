// A run from begin to end: samples, events, failures, interruption, any formulation.
#include <gtest/gtest.h>

#include <numbers>

#include "support/random_robot.hpp"
#include "support/runs.hpp"
#include "support/small_robots.hpp"
#include "ulna/dynamics/method.hpp"
#include "ulna/io/robot/load.hpp"

namespace ulna {
namespace {

using test::finish;
using test::FinishedRun;

std::vector<std::string> integrator_names() {
  std::vector<std::string> names;
  for (const IntegratorInfo& info : integrators()) names.emplace_back(info.name);
  return names;
}

class EveryIntegrator : public ::testing::TestWithParam<std::string> {
 protected:
  SimulationSetup setup(double duration) const {
    SimulationSetup setup;
    setup.duration = duration;
    setup.integrator = GetParam();
    test::choose_step(setup);
    return setup;
  }
};
INSTANTIATE_TEST_SUITE_P(All, EveryIntegrator, ::testing::ValuesIn(integrator_names()),
                         [](const auto& one) { return one.param; });

/// k·every to the last bit, the duration itself at the end, whether it is a multiple or not.
TEST_P(EveryIntegrator, SamplesWhereItWasAskedTo) {
  const Model model = build(test::pendulum());
  for (const auto& [duration, every, rows] : {std::tuple{1.0, 0.01, 101u},
                                              {0.3, 0.1, 4u},
                                              {0.7, 0.1, 8u},
                                              {0.25, 0.1, 4u},
                                              {0.05, 0.1, 2u},
                                              {1.0, 1.0 / 3, 4u}}) {
    SimulationSetup run = setup(duration);
    run.every = every;
    const FinishedRun done = finish(model, run);
    ASSERT_EQ(done.trajectory.size(), rows) << duration << " " << every;
    EXPECT_EQ(done.result.samples, static_cast<long>(rows));
    for (std::size_t i = 0; i + 1 < rows; ++i) EXPECT_EQ(done.trajectory.at(i, "t"), static_cast<double>(i) * every);
    EXPECT_EQ(done.trajectory.at(rows - 1, "t"), duration);
    EXPECT_EQ(done.trajectory.at(rows - 1, "q1"), done.result.final_q[0]);
    EXPECT_EQ(done.result.time, duration);
  }
}

/// A rod falls from the horizontal through q = −1 with the speed of the energy law, ω² = 3g·sin 1.
TEST_P(EveryIntegrator, StopsOnALimit) {
  Graph graph = test::pendulum();
  graph.joints[0].limits = {-1.0, 2.0};
  const Model model = build(graph);
  SimulationSetup run = setup(5.0);
  run.accuracy.relative = run.accuracy.absolute = 1e-12;
  run.at_limits = EventAction::stop;
  const FinishedRun done = finish(model, run);
  ASSERT_EQ(done.result.status, RunStatus::stopped_by_event);
  const double speed = std::sqrt(3.0 * 9.81 * std::sin(1.0));
  EXPECT_NEAR(done.result.final_q[0], -1.0, 1e-12 * speed);  // located to 1e-12 s
  EXPECT_NEAR(done.result.final_v[0], -speed, 1e-7);         // hundreds of steps; rk4 of 1 ms: 1e-10
  EXPECT_NE(done.result.reason.find("hinge passes its lower limit"), std::string::npos);
  ASSERT_EQ(done.result.events.size(), 1u);
  EXPECT_EQ(done.result.events[0].t, done.result.time);
  EXPECT_EQ(done.trajectory.at(done.last(), "t"), done.result.time);
  EXPECT_EQ(done.trajectory.at(done.last(), "q1"), done.result.final_q[0]);
  EXPECT_EQ(done.trajectory.at(done.last() - 1, "t"), static_cast<double>(done.last() - 1) * run.every);
}

/// The swing between the walls: recorded in pairs, and the run goes on. Ignored, nothing is told.
TEST(Limits, AreRecordedOrIgnored) {
  Graph graph = test::pendulum();
  graph.joints[0].limits = {-2.5, -0.5};
  const Model model = build(graph);
  SimulationSetup setup;
  setup.duration = 3.0;
  const FinishedRun recorded = finish(model, setup);
  EXPECT_EQ(recorded.result.status, RunStatus::completed);
  // from 0 down through −0.5 and −2.5, to −π and back: two seconds a swing
  ASSERT_GE(recorded.result.events.size(), 5u);
  const char* texts[] = {"hinge starts above its upper limit", "hinge passes its upper limit",
                         "hinge passes its lower limit", "hinge passes its lower limit",
                         "hinge passes its upper limit"};
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(recorded.result.events[i].text, texts[i]);
  EXPECT_EQ(recorded.result.event_count, static_cast<long>(recorded.result.events.size()));
  setup.at_limits = EventAction::stop;
  const FinishedRun refused = finish(model, setup);
  EXPECT_EQ(refused.result.status, RunStatus::stopped_by_event);
  EXPECT_EQ(refused.result.time, 0.0);
  setup.at_limits = EventAction::ignore;
  EXPECT_TRUE(finish(model, setup).result.events.empty());
}

TEST(Events, StartingOnAValueIsNoneButComingBackIs) {
  const Model model = build(test::slider(1.0));
  SimulationSetup setup;
  setup.q0 = {0.25};
  setup.v0 = {1.0};
  setup.duration = 3.0;
  setup.actions.drive = ConstantDrive{{-1.0}};  // q = 0.25 + t − t²/2: back at t = 2
  setup.watched.push_back({0, false, 0.25, EventAction::record, "back"});
  const RunResult result = finish(model, setup).result;
  ASSERT_EQ(result.events.size(), 1u);
  EXPECT_NEAR(result.events[0].t, 2.0, 2e-12);
}

TEST(Events, SeveralAtOnceAreAllTold) {
  Graph graph = test::pendulum();
  graph.bodies.push_back(graph.bodies.back());
  graph.bodies.back().name = "twin";
  graph.joints.push_back(graph.joints.back());
  graph.joints.back().name = "other";
  graph.joints.back().child = "twin";
  const Model model = build(graph);
  SimulationSetup setup;
  setup.duration = 0.5;
  setup.watched = {{0, false, -0.5, EventAction::record, "one"},
                   {1, false, -0.5, EventAction::record, "two"},
                   {1, false, -0.5, EventAction::record, "three"},
                   {1, true, -3.0, EventAction::ignore, "never"}};
  const RunResult result = finish(model, setup).result;
  ASSERT_EQ(result.events.size(), 3u);
  for (const RunEvent& event : result.events) EXPECT_NEAR(event.t, result.events[0].t, 4e-12);
}

TEST_P(EveryIntegrator, FindsAVelocity) {
  const Model model = build(test::slider(2.0));
  SimulationSetup run = setup(2.0);
  run.actions.drive = ConstantDrive{{3.0}};
  run.watched.push_back({0, true, 1.0, EventAction::stop, "fast"});
  const RunResult result = finish(model, run).result;
  ASSERT_EQ(result.status, RunStatus::stopped_by_event);
  EXPECT_NEAR(result.time, 2.0 / 3.0, 2e-12);
  EXPECT_NEAR(result.final_v[0], 1.0, 2e-12);
  EXPECT_EQ(result.reason, "fast");
}

/// A value that is reached in the very moment in which something jumps.
TEST_P(EveryIntegrator, FindsAnEventAtAJump) {
  const Model model = build(test::slider(1.0));
  for (const double target : {0.5, 0.5 + 1e-13, 0.5 - 1e-13}) {
    SimulationSetup run = setup(1.0);
    run.actions.drive = ConstantDrive{{1.0}};
    run.actions.held.pulses.push_back({0, 1.0, 0.5});  // v = 0.5 when the second newton begins
    run.watched.push_back({0, true, target, EventAction::record, "there"});
    const RunResult result = finish(model, run).result;
    ASSERT_EQ(result.events.size(), 1u) << target - 0.5;
    EXPECT_NEAR(result.events[0].t, 0.5, 1e-10);
  }
}

TEST(Events, AreRefusedWhereThereIsNoSuchJoint) {
  const Model floating = build(test::floating_ball(1.0, 1.0, {0, 0, 0})), arm = build(test::pendulum());
  SimulationSetup setup;
  setup.duration = 0.1;
  setup.watched = {{0, false, 0.0, EventAction::record, "angle of a free joint"}};
  EXPECT_THROW(finish(floating, setup), std::exception);
  setup.watched = {{3, true, 0.0, EventAction::record, "no such joint"}};
  EXPECT_THROW(finish(arm, setup), std::exception);
  setup.watched = {{0, true, NAN, EventAction::record, "no value"}};
  EXPECT_THROW(finish(arm, setup), std::exception);
}

/// A user's torque that is no number any more after half a second.
TEST_P(EveryIntegrator, KeepsItsSamplesWhenItFails) {
  const Model model = build(test::pendulum());
  SimulationSetup run = setup(1.0);
  run.actions.drive = UserDrive{[](double t, auto, auto, std::span<double> tau) { tau[0] += t < 0.5 ? 1.0 : NAN; }};
  const FinishedRun done = finish(model, run);
  EXPECT_NE(done.result.status, RunStatus::completed);
  EXPECT_NE(done.result.status, RunStatus::interrupted);
  EXPECT_FALSE(done.result.reason.empty());
  EXPECT_LE(done.result.time, 0.5);
  // fixed steps end where one of them first reaches over; adaptive ones come as near as they can
  EXPECT_GT(done.result.time, 0.45);
  EXPECT_EQ(done.trajectory.at(done.last(), "t"), done.result.time);
  EXPECT_EQ(done.result.samples, static_cast<long>(done.trajectory.size()));
  for (std::size_t i = 0; i < done.trajectory.size(); ++i) EXPECT_TRUE(std::isfinite(done.trajectory.at(i, "q1")));
}

TEST(PrintedPuma, FailsInEveryFormulationThatTakesIt) {
  const Model model = load("puma560_printed");
  SimulationSetup setup;
  const FinishedRun done = finish(model, setup);
  EXPECT_EQ(done.result.status, RunStatus::step_too_small);
  EXPECT_EQ(done.trajectory.size(), 183u);  // every 0.01 s up to 1.8185 s, and the last
}

TEST_P(EveryIntegrator, EndsWhenToldTo) {
  const Model model = build(test::pendulum());
  SimulationSetup run = setup(5.0);
  int asked = 0;
  double told = 0.0;
  const FinishedRun done = finish(model, run, [&](const RunProgress& progress) {
    told = progress.t;
    EXPECT_GT(progress.step, 0.0);
    return ++asked < 7;
  });
  EXPECT_EQ(asked, 7);
  EXPECT_EQ(done.result.status, RunStatus::interrupted);
  EXPECT_EQ(done.result.time, told);
  EXPECT_EQ(done.trajectory.at(done.last(), "t"), told);
}

/// The steps that are told add up to the run, those that end at a jump too.
TEST_P(EveryIntegrator, TellsTheLengthOfEachStep) {
  const Model model = build(test::pendulum());
  SimulationSetup run = setup(1.0);
  run.actions.held.sample = 0.25;
  double sum = 0.0;
  finish(model, run, [&](const RunProgress& progress) {
    EXPECT_GT(progress.step, 0.0);
    sum += progress.step;
    return true;
  });
  EXPECT_NEAR(sum, 1.0, 1e-12);
}

TEST(Run, BeingToldToEndAtTheEndIsTooLate) {
  const Model model = build(test::pendulum());
  SimulationSetup setup;
  setup.duration = 0.5;
  const FinishedRun done = finish(model, setup, [](const RunProgress& progress) { return progress.t < 0.5; });
  EXPECT_EQ(done.result.status, RunStatus::completed);
}

TEST(Run, ImpossibleSetupsAreRefused) {
  const Model model = build(test::pendulum());
  const auto refuse = [&](const auto& spoil) {
    SimulationSetup setup;
    spoil(setup);
    EXPECT_THROW(finish(model, setup), std::exception);
  };
  refuse([](SimulationSetup& s) { s.duration = 0.0; });
  refuse([](SimulationSetup& s) { s.duration = INFINITY; });
  refuse([](SimulationSetup& s) { s.every = -1.0; });
  refuse([](SimulationSetup& s) { s.every = 1e-12; });
  refuse([](SimulationSetup& s) { s.q0 = {1, 2}; });
  refuse([](SimulationSetup& s) { s.v0 = {NAN}; });
  refuse([](SimulationSetup& s) { s.method = "lagrange"; });
  refuse([](SimulationSetup& s) { s.method = "newton_euler"; });
  refuse([](SimulationSetup& s) { s.integrator = "euler"; });
  refuse([](SimulationSetup& s) { s.integrator = "rk4"; });
  refuse([](SimulationSetup& s) { s.accuracy.relative = -1.0; });
}

/// The same fixed steps whatever the formulation, so that nothing but rounding may differ: some
/// thousand ε of velocities of a few units, grown by at most a thousand in a second.
void expect_agreement(const Model& model, const SimulationSetup& setup) {
  const FinishedRun first = finish(model, setup);
  int tried = 0;
  for (const MethodInfo& method : methods()) {
    if (!method.can(Quantity::forward_dynamics) || !method.refusal(model).empty()) continue;
    SimulationSetup other = setup;
    other.method = method.name;
    const FinishedRun run = finish(model, other);
    ASSERT_EQ(run.result.status, RunStatus::completed) << method.name;
    EXPECT_LE(test::largest_difference(first.result.final_q, run.result.final_q), 1e-9) << method.name;
    EXPECT_LE(test::largest_difference(first.result.final_v, run.result.final_v), 1e-9) << method.name;
    ++tried;
  }
  EXPECT_GE(tried, 2);
}

SimulationSetup short_steps(const Model& model) {
  SimulationSetup setup;
  setup.q0 = model.neutral();
  setup.v0.assign(static_cast<std::size_t>(model.nv()), 0.3);
  setup.duration = 1.0;
  setup.every = 0.1;
  setup.integrator = "rk4";
  setup.accuracy.fixed_step = 0.01;
  setup.at_limits = EventAction::ignore;
  setup.actions.held.loads.push_back({model.body_count() - 1, {{0.1, 0.2, -0.1}, {1, -2, 1}}});
  return setup;
}

TEST(Methods, GiveTheSameTrajectory) {
  for (const char* name : {"puma560", "planar3r", "kuka_lwr4_corrected", "satellite_arm", "scara"}) {
    SCOPED_TRACE(name);
    Graph graph = load_graph(name);
    graph.friction_speed = 0.5;  // a fast change would make the steps of rk4 too long
    const Model model = build(graph);
    expect_agreement(model, short_steps(model));
  }
  const Model tree = build(test::random_robot({.bodies = 6, .branched = true, .free_base = true}, 202));
  expect_agreement(tree, short_steps(tree));
}

}  // namespace
}  // namespace ulna
