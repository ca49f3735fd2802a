// What the claims of wolinski2015 do not check themselves: the redrawn curves against the reference of test/golden, and
// the module with MuJoCo in it.
#include <gtest/gtest.h>

#include <cmath>

#include "papers/deviation.hpp"
#include "papers/finished_run.hpp"
#include "papers/mujoco_engine.hpp"
#include "papers/wolinski_inverse.hpp"
#include "support/golden.hpp"
#include "ulna/io/scenario/load.hpp"

namespace ulna::reproduction {
namespace {

TEST(Wolinski, FigureFiveIsThatOfTheReference) {
  const nlohmann::json reference = test::golden("003_inverse");
  const std::vector<double> times = test::list(reference["t_fine"]);
  const Section section = wolinski_inverse();
  ASSERT_EQ(section.figures.at(0).pictures.size(), 7u);
  double most = 0.0;
  for (std::size_t j = 0; j < 7; ++j) {
    const Plot& plot = section.figures[0].pictures[j];
    std::vector<double> wanted;
    for (const nlohmann::json& row : reference["tau_fine"]) wanted.push_back(row[j]);
    EXPECT_LT(largest_difference(plot.curves.at(0).x, times), 1e-12);
    // the reference is good to 1e-13 of the largest torque at an instant, which is some 50 N m
    EXPECT_LT(largest_difference(plot.curves[0].y, wanted), 1e-13 * 50.0) << "joint " << j + 1;
    most = std::max(most, largest(wanted));
  }
  EXPECT_GT(most, 10.0);
}

/// A quarter of a second, in which the arm settles into its springs.
TEST(Wolinski, MujocoModuleRunsTheSameDrive) {
#ifndef ULNA_HAVE_MUJOCO
  GTEST_SKIP() << "MuJoCo is not installed";
#endif
  Scenario scenario = load_scenario("kuka_pd");
  scenario.every = 1.0 / 64;
  scenario.duration = 0.25;
  const Graph graph = robot_of(scenario);
  const Model model = build(graph);
  const SimulationSetup setup = setup_of(scenario, model);
  // 33 kHz: the fastest rate of 5e4 1/s needs 18 kHz and more
  const PdTask task{&graph,
                    &model,
                    &std::get<PdDrive>(setup.actions.drive),
                    setup.q0,
                    std::vector<double>(7, 0.0),
                    scenario.every,
                    std::vector<long>(16, 512)};
  const EngineAnswer answer = simulate_with_mujoco(task);
  ASSERT_EQ(answer.refusal, "");
  ASSERT_EQ(answer.samples.rows.size(), 17u);
  scenario.relative = scenario.absolute = 1e-9;
  const FinishedRun coarse = run_to_end(scenario);
  scenario.relative = scenario.absolute = 1e-11;
  const FinishedRun fine = run_to_end(scenario);
  ASSERT_EQ(fine.trajectory.size(), 17u);
  double moved = 0.0;
  for (const std::size_t first : {1u, 8u, 15u}) {  // q, v, a
    double error = 0.0, off = 0.0;
    for (std::size_t i = 0; i < 17; ++i)
      for (std::size_t k = first; k < first + 7; ++k) {
        const double here = fine.trajectory.row(i)[k];
        error = std::max(error, std::abs(here - coarse.trajectory.row(i)[k]));
        off = std::max(off, std::abs(here - answer.samples.rows[i][k]));
        moved = std::max(moved, std::abs(here - fine.trajectory.row(0)[k]));
      }
    EXPECT_LE(off, error) << "column " << first;
  }
  EXPECT_GT(moved, 0.1);
}

TEST(Deviation, HoldsOnlyWithinRounding) {
  Deviation deviation(10.0);
  deviation.add(std::vector{1.0, 1e6}, std::vector{1.0, 1e6 * (1.0 + 4e-16)});
  EXPECT_TRUE(deviation.holds());
  deviation.add(2.0, 2.0 + 1e-8);
  EXPECT_FALSE(deviation.holds());
  Deviation none(10.0);
  none.add(std::nan(""), 1.0);
  EXPECT_FALSE(none.holds());
  Deviation lists(10.0);
  lists.add(std::vector{1.0}, std::vector{1.0, 1.0});
  EXPECT_FALSE(lists.holds());
}

}  // namespace
}  // namespace ulna::reproduction
