// Runs that lead nowhere end after a bounded effort, with a status, a reason and a remedy.
#include <gtest/gtest.h>

#include "support/runs.hpp"
#include "ulna/batch/ensemble.hpp"
#include "ulna/io/robot/load.hpp"

namespace ulna {
namespace {

using test::finish;
using test::FinishedRun;

SimulationSetup held_by_pd(const Model& model, double kp, double kd, double sample) {
  const auto n = static_cast<std::size_t>(model.nv());
  SimulationSetup setup;
  setup.duration = 5.0;
  setup.every = 1.0;
  setup.at_limits = EventAction::ignore;
  setup.integrator = "dp5";
  setup.accuracy.relative = setup.accuracy.absolute = 1e-6;
  setup.actions.held.sample = sample;
  setup.actions.drive =
      PdDrive{make_reference(CosineMotion{std::vector<double>(n, 0.1), std::vector<double>(n, 0.2), 2.0, 0.0}),
              std::vector<double>(n, kp), std::vector<double>(n, kd), true};
  return setup;
}

void expect_given_up(const RunResult& result, RunStatus status, const std::string& word) {
  EXPECT_EQ(result.status, status) << result.reason;
  EXPECT_LT(result.time, 5.0);
  EXPECT_LT(result.statistics.steps + result.statistics.rejected, 2'000'000);
  EXPECT_NE(result.reason.find(word), std::string::npos) << result.reason;
}

/// A gain that the wrist's small inertia cannot bear at this sample time: every sample overshoots more than the last.
TEST(Effort, a_sampled_drive_that_is_unstable_diverges) {
  const Model model = load("panda_like");
  expect_given_up(finish(model, held_by_pd(model, 300.0, 40.0, 1e-3)).result, RunStatus::diverged, "gains");
}

TEST(Effort, a_start_beyond_reason_diverges) {
  const Model model = load("planar2r");
  SimulationSetup setup;
  setup.duration = 5.0;
  setup.v0 = {1e100, 0.0};
  setup.at_limits = EventAction::ignore;
  expect_given_up(finish(model, setup).result, RunStatus::diverged, "1e+100 rad/s");
}

TEST(Effort, gains_without_measure_are_too_stiff) {
  const Model model = load("planar2r");
  const RunResult result = finish(model, held_by_pd(model, 1e18, 1e18, 0.0)).result;
  expect_given_up(result, RunStatus::too_stiff, "bdf");
  const RunResult huge = finish(model, held_by_pd(model, 1e300, 1e300, 0.0)).result;
  EXPECT_NE(huge.status, RunStatus::completed);
  EXPECT_FALSE(huge.reason.empty());
}

TEST(Effort, most_steps_allows_more_or_less) {
  const Model model = load("planar2r");
  SimulationSetup setup = held_by_pd(model, 1e7, 1e7, 0.0);  // some ten million steps
  setup.most_steps = 1e6;
  expect_given_up(finish(model, setup).result, RunStatus::too_stiff, "most_steps");
}

TEST(Effort, no_more_than_most_steps_are_taken) {
  const Model model = load("planar2r");
  SimulationSetup setup;
  setup.most_steps = 5;
  const RunResult result = finish(model, setup).result;
  expect_given_up(result, RunStatus::too_stiff, "most_steps");
  EXPECT_EQ(result.statistics.steps + result.statistics.rejected, 6);
}

TEST(Effort, fixed_steps_are_counted_in_advance) {
  const Model model = load("planar2r");
  SimulationSetup setup;
  setup.integrator = "rk4";
  setup.accuracy.fixed_step = 1e-300;
  try {
    finish(model, setup);
    FAIL() << "was not refused";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("1e+301 steps"), std::string::npos) << error.what();
  }
}

/// In a pack a run is given up where it would be alone, and its neighbours come to their ends.
TEST(Effort, of_one_lane_does_not_hold_the_others_up) {
  const Model tree = load("planar2r");
  EnsembleSetup setup;
  setup.nominal.duration = 5.0;
  setup.nominal.every = 1.0;
  setup.nominal.integrator = "dp5";
  setup.nominal.at_limits = EventAction::ignore;
  setup.runs = 6;
  setup.code = EnsembleCode::generic;
  setup.vary = [](std::size_t k) {
    EnsembleRun run;
    run.q0 = {0.1, 0.2};
    run.v0 = {k == 2 ? 1e30 : 0.1 * static_cast<double>(k), 0.0};
    return run;
  };
  const EnsembleResult result = simulate_ensemble(tree, setup);
  ASSERT_TRUE(result.packed);
  for (std::size_t k = 0; k < setup.runs; ++k)
    EXPECT_EQ(result.runs[k].status, k == 2 ? RunStatus::diverged : RunStatus::completed) << result.runs[k].reason;
}

/// The run says which columns there are; rows of other widths would shear all that follow.
TEST(Columns, are_the_runs_own) {
  const Model model = load("planar2r");
  SimulationSetup setup = held_by_pd(model, 100.0, 10.0, 0.0);
  setup.duration = 1.0;
  setup.every = 0.01;
  Trajectory trajectory;
  EXPECT_EQ(simulate(model, setup, trajectory).samples, 101);
  EXPECT_EQ(trajectory.size(), 101u);
  EXPECT_NEAR(trajectory.at(100, "qd1"), 0.1 + 0.2 * std::cos(2.0), 1e-15);
  EXPECT_THROW(simulate(model, setup, trajectory), std::invalid_argument);  // it holds a run
  Trajectory without_reference(trajectory_columns(model, false)), with_reference(trajectory_columns(model, true));
  EXPECT_THROW(simulate(model, setup, without_reference), std::invalid_argument);
  EXPECT_NO_THROW(simulate(model, setup, with_reference));
}

}  // namespace
}  // namespace ulna
