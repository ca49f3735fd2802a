// Runs of the papers against the independent reference in test/golden.
#include <gtest/gtest.h>

#include "support/golden.hpp"
#include "support/tolerance.hpp"
#include "ulna/io/scenario/load.hpp"
#include "ulna/simulate/playback_growth.hpp"

namespace ulna {
namespace {

using test::golden;
using test::list;

struct Finished {
  Graph graph;
  Model model;
  SimulationSetup setup;
  Trajectory trajectory;
  RunResult result;
};

Finished finished(Scenario scenario) {
  const Graph graph = robot_of(scenario);
  Model model = build(graph);
  SimulationSetup setup = setup_of(scenario, model);
  Trajectory trajectory;
  RunResult result = simulate(model, setup, trajectory);
  return {graph, std::move(model), std::move(setup), std::move(trajectory), std::move(result)};
}

/// Largest difference of the columns prefix1 … prefixN from a golden row.
double difference(const Trajectory& trajectory, std::size_t row, const std::string& prefix,
                  const std::vector<double>& wanted) {
  double worst = 0.0;
  for (std::size_t k = 0; k < wanted.size(); ++k)
    worst = std::max(worst, std::abs(trajectory.at(row, prefix + std::to_string(k + 1)) - wanted[k]));
  return worst;
}

class FreeFall : public ::testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(FreeFall, IsTheReference) {
  const auto [name, file] = GetParam();
  const nlohmann::json reference = golden(file);
  const std::vector<double> errors = list(reference["est_error_per_time"]);
  for (const char* integrator : {"dop853", "adams"}) {
    Scenario scenario = load_scenario(name);
    scenario.integrator = integrator;
    scenario.relative = scenario.absolute = 1e-13;
    const Finished r = finished(scenario);
    ASSERT_EQ(r.result.status, RunStatus::completed) << r.result.reason;
    // The reference states its own error per time; a deviation of one tolerance (1e-13) per step at
    // the start has grown to that error over the error of its own first step (1e-13) by then.
    for (std::size_t i = 0; i < errors.size(); ++i) {
      const std::size_t row = 10 * i;
      ASSERT_NEAR(r.trajectory.at(row, "t"), reference["t"][i].get<double>(), 1e-14);
      double envelope = 0.0;
      for (std::size_t k = 0; k <= i; ++k) envelope = std::max(envelope, errors[k]);
      const double steps = static_cast<double>(r.result.statistics.steps) * 0.1 * static_cast<double>(i + 1);
      const double tolerance = 10.0 * envelope + 1e-13 * (10.0 + steps);
      const std::vector<double> q = list(reference["q"][i]);
      EXPECT_LE(difference(r.trajectory, row, "q", q), tolerance * std::max(1.0, test::largest(q)))
          << integrator << " t " << reference["t"][i];
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Papers, FreeFall,
                         ::testing::Values(std::pair{"stanford_free_fall", "000_freefall_stanford"},
                                           std::pair{"planar3r_free_fall", "000_freefall_planar3"}));

class Forced : public ::testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(Forced, TorquesOfTheCycloid) {
  const auto [name, file] = GetParam();
  const nlohmann::json reference = golden(file);
  const Finished r = finished(load_scenario(name));
  for (std::size_t i = 0; i < reference["t"].size(); ++i) {
    const std::vector<double> tau = list(reference["tau"][i]), q = list(reference["q"][i]);
    const double scale = std::max(1.0, test::largest(tau));
    EXPECT_LE(difference(r.trajectory, 10 * i, "tau", tau), 1e-13 * scale + 64 * 2.2e-16 * 50.0);
    EXPECT_LE(difference(r.trajectory, 10 * i, "qd", q), 4e-15 * std::max(1.0, test::largest(q)));
  }
}

INSTANTIATE_TEST_SUITE_P(Papers, Forced,
                         ::testing::Values(std::pair{"stanford_forced", "000_forced_stanford"},
                                           std::pair{"planar3r_forced", "000_forced_planar3"}));

class Playback : public ::testing::TestWithParam<std::pair<const char*, const char*>> {};

/// RK4 with h = 0.01 is deterministic up to rounding, and rounding grows by ‖Φ‖.
TEST_P(Playback, FixedStepsDeviateAsInTheReference) {
  const auto [name, robot] = GetParam();
  const nlohmann::json reference = golden("000_forced_rk4")["results"][robot];
  Scenario scenario = load_scenario(name);
  scenario.integrator = "rk4";
  scenario.step = 0.01;
  const Finished r = finished(scenario);
  EXPECT_EQ(r.result.statistics.steps, 1000);
  double amplified = 0.0;
  for (std::size_t i = 0; i < reference["t"].size(); ++i) {
    const std::vector<double> q = list(reference["q"][i]);
    amplified = std::max(amplified, reference["roundoff_amplification_1e15_times_normPhi"][i].get<double>());
    if (amplified > 1e-3) break;  // beyond this rounding decides
    EXPECT_LE(difference(r.trajectory, 50 * i, "q", q), 100.0 * amplified) << "t " << reference["t"][i];
  }
}

/// The growth that `simulate` prints is the norm of the reference's Φ.
TEST_P(Playback, GrowthIsTheLinearisedOne) {
  const auto [name, robot] = GetParam();
  const nlohmann::json reference = golden("000_forced_rk4")["results"][robot];
  const Scenario scenario = load_scenario(name);
  const Model model = build(robot_of(scenario));
  const SimulationSetup setup = setup_of(scenario, model);
  const PlaybackGrowth growth = playback_growth(model, setup.actions, 10.0, 0.5);
  ASSERT_EQ(growth.rows.size(), reference["t"].size());
  for (std::size_t i = 0; i < growth.rows.size(); ++i) {
    const double wanted = 1e15 * reference["roundoff_amplification_1e15_times_normPhi"][i].get<double>();
    EXPECT_NEAR(growth.rows[i].amplification, wanted, 1e-3 * wanted) << "t " << growth.rows[i].t;
  }
}

INSTANTIATE_TEST_SUITE_P(Papers, Playback,
                         ::testing::Values(std::pair{"stanford_forced", "stanford"},
                                           std::pair{"planar3r_forced", "planar3"},
                                           std::pair{"puma_forced", "puma_abs"}));

/// Wolinski and Malczyk's Table 1: 1924 right-hand sides at 1e-6 and 993 at 1e-3.
TEST(KukaPd, BdfNeedsNoMoreRightHandSidesThanThePaper) {
  Scenario scenario = load_scenario("kuka_pd");
  scenario.relative = scenario.absolute = 1e-11;
  const Finished truth = finished(scenario);
  const nlohmann::json others = golden("003_rhs_counts")["results"];
  for (const auto& [tolerance, most, vode] :
       {std::tuple{1e-6, 1924L, "VODE-BDF tol 1e-06"}, std::tuple{1e-3, 993L, "VODE-BDF tol 1e-03"}}) {
    scenario.relative = scenario.absolute = tolerance;
    const Finished r = finished(scenario);
    ASSERT_EQ(r.result.status, RunStatus::completed);
    EXPECT_LE(r.result.statistics.right_hand_sides, most);
    double worst = 0.0;
    for (std::size_t i = 0; i < r.trajectory.size(); ++i)
      for (std::size_t k = 1; k <= 7; ++k)
        worst = std::max(worst, std::abs(r.trajectory.row(i)[k] - truth.trajectory.row(i)[k]));
    // The tolerance bounds the error per step; over a run of hundreds they add up, in CVODE as in its ancestor VODE.
    EXPECT_LE(worst, others[vode]["max_err_q"].get<double>());
  }
}

TEST(Stanford, Joint2HasTurnedAtTheTimeOfErratum17) {
  Scenario scenario = load_scenario("stanford_free_fall");
  scenario.relative = scenario.absolute = 1e-13;
  const Finished r = finished(scenario);
  ASSERT_EQ(r.result.events.size(), 1u);
  EXPECT_NEAR(r.result.events[0].t, 2.2439, 5e-5);
}

/// Erratum 0.13: with the printed inertias the inertia matrix becomes singular at 1.8185 s.
TEST(PrintedPuma, EndsWithAReason) {
  Scenario scenario = load_scenario("puma560_printed");
  const Finished r = finished(scenario);
  EXPECT_NE(r.result.status, RunStatus::completed);
  EXPECT_NEAR(r.result.time, 1.8185, 5e-4);
  EXPECT_NE(r.result.reason.find("inertia matrix"), std::string::npos) << r.result.reason;
  EXPECT_GT(r.trajectory.size(), 180u);
}

}  // namespace
}  // namespace ulna
