// What must not change: energy, momentum, the length of quaternions.
#include <gtest/gtest.h>

#include <random>

#include "support/test_robots.hpp"
#include "ulna/io/scenario/load.hpp"
#include "ulna/model/random_state.hpp"
#include "ulna/simulate/canonical_ode.hpp"

namespace ulna {
namespace {

Trajectory run(const Model& model, const SimulationSetup& setup, RunResult* result = nullptr) {
  Trajectory trajectory;
  RunResult done = simulate(model, setup, trajectory);
  EXPECT_EQ(done.status, RunStatus::completed) << model.name() << ": " << done.reason << " at " << done.time;
  if (result != nullptr) *result = std::move(done);
  return trajectory;
}

TEST(Energy, IsKeptByEveryBundledTreeInFreeFall) {
  for (const std::string& name : test::bundled_trees()) {
    if (name == "puma560_printed") continue;
    const Model model = load(name);
    SimulationSetup setup;
    setup.q0 = model.neutral();
    for (const JointInfo& joint : model.joints())
      if (joint.kind != JointKind::free)
        setup.q0[static_cast<std::size_t>(model.bodies()[static_cast<std::size_t>(joint.body)].q_index)] += 0.3;
    setup.at_limits = EventAction::ignore;
    setup.accuracy.relative = setup.accuracy.absolute = 1e-10;
    setup.v0.assign(static_cast<std::size_t>(model.nv()), 0.2);  // some robots have no gravity
    RunResult result;
    run(model, setup, &result);
    EXPECT_GT(result.largest_energy, 0.0) << name;
    EXPECT_LE(result.largest_imbalance, 1e-9 * result.largest_energy) << name;
  }
}

TEST(Energy, IsBalancedWithFrictionSpringsLoadsAndDrives) {
  for (std::uint64_t seed = 101; seed <= 104; ++seed) {
    Graph graph = test::random_robot({.bodies = 6, .branched = true, .passive = true}, seed);
    graph.friction_speed = 0.05;
    const Model model = build(graph);
    std::mt19937_64 generator(seed);
    SimulationSetup setup;
    setup.q0 = random_position(model, generator);
    setup.duration = 2.0;
    setup.accuracy.relative = setup.accuracy.absolute = 1e-11;
    setup.actions.drive = ConstantDrive{random_velocity(model, generator, 3.0)};
    setup.actions.held.loads.push_back({model.body_count() - 1, {{1, 2, -1}, {3, -2, 1}}, 0.3, 1.2});
    setup.actions.held.pulses.push_back({0, 4.0, 0.5, 0.7});
    RunResult result;
    const Trajectory trajectory = run(model, setup, &result);
    const std::size_t last = trajectory.size() - 1;
    EXPECT_LT(trajectory.at(last, "work_friction"), 0.0);
    EXPECT_NE(trajectory.at(last, "work_loads"), 0.0);
    // some hundred steps with an error of 1e-11 of the state's size each
    EXPECT_LE(result.largest_imbalance, 1e-8 * std::max(1.0, result.largest_energy)) << seed;
  }
}

class Integrators : public ::testing::TestWithParam<std::string> {};

/// A free-floating robot: momentum and spin constant, quaternions of unit length, for all methods.
TEST_P(Integrators, KeepMomentumAndUnitQuaternions) {
  const Scenario scenario = load_scenario("satellite_free");
  const Model model = build(robot_of(scenario));
  SimulationSetup setup = setup_of(scenario, model);
  setup.integrator = GetParam();
  const IntegratorInfo& info = integrator_info(setup.integrator);
  if (info.needs_step) setup.accuracy.fixed_step = setup.integrator == "rk4" ? 0.0005 : 0.01;
  const Trajectory trajectory = run(model, setup);
  const char* names[] = {"momentum_x", "momentum_y", "momentum_z", "spin_x", "spin_y", "spin_z"};
  double size = 0.0;
  for (const char* name : names) size = std::max(size, std::abs(trajectory.at(0, name)));
  for (const char* name : names) {
    const double first = trajectory.at(0, name);
    // Adams and BDF meet a tolerance per step and not to rounding; thousands of steps add up
    const double bound = setup.integrator == "adams" || setup.integrator == "bdf" ? 1e-8 : 1e-10;
    for (std::size_t i = 0; i < trajectory.size(); ++i)
      ASSERT_NEAR(trajectory.at(i, name), first, bound * size) << name;
  }
  double turned = 0.0;
  for (std::size_t i = 0; i < trajectory.size(); ++i) {
    double length2 = 0.0;
    for (const char* name : {"q4", "q5", "q6", "q7"}) length2 += trajectory.at(i, name) * trajectory.at(i, name);
    EXPECT_NEAR(length2, 1.0, 2e-15);
    turned = std::max(turned, 1.0 - std::abs(trajectory.at(i, "q7")));
  }
  EXPECT_GT(turned, 0.3);  // it does tumble
}

/// Not by a last touch before samples are written: the states between them are positions as well.
TEST_P(Integrators, StatesAreOnTheGroup) {
  const Scenario scenario = load_scenario("satellite_free");
  const Model model = build(robot_of(scenario));
  const SimulationSetup setup = setup_of(scenario, model);
  const IntegratorInfo& info = integrator_info(GetParam());
  std::unique_ptr<MotionOde> system = info.canonical ? std::make_unique<CanonicalOde>(model, "auto", setup.actions)
                                                     : std::make_unique<MotionOde>(model, "auto", setup.actions);
  IntegratorOptions accuracy;
  if (info.needs_step) accuracy.fixed_step = 0.01;
  const auto integrator = make_integrator(GetParam(), *system, accuracy);
  std::vector<double> y(system->size()), q = setup.q0, v = setup.v0;
  system->enter(0.0, q, v);
  system->set_state(q, v, y);
  integrator->start(0.0, y);
  while (integrator->time() < 20.0) {
    ASSERT_EQ(integrator->step(20.0), StepStatus::ok);
    integrator->interpolate(0.5 * (integrator->time() + integrator->previous_time()), y);
    system->get_state(y, q, v);
    // one product of two unit quaternions, each within rounding of its length
    EXPECT_NEAR(q[3] * q[3] + q[4] * q[4] + q[5] * q[5] + q[6] * q[6], 1.0, 2e-15);
  }
}

/// Different methods agree on a tree with free and spherical joints: the group is not in the way.
TEST_P(Integrators, AgreeOnRobotsWithEveryJoint) {
  for (const std::uint64_t seed : {201u, 202u, 203u}) {
    const Model model = build(test::random_robot({.bodies = 5, .branched = true, .free_base = true}, seed));
    std::mt19937_64 generator(seed);
    SimulationSetup setup;
    setup.q0 = random_position(model, generator);
    setup.v0 = random_velocity(model, generator, 2.0);
    setup.duration = 1.5;
    setup.accuracy.relative = setup.accuracy.absolute = 1e-12;
    RunResult truth, result;
    run(model, setup, &truth);
    setup.integrator = GetParam();
    const IntegratorInfo& info = integrator_info(setup.integrator);
    if (info.needs_step) setup.accuracy.fixed_step = setup.integrator == "rk4" ? 0.0002 : 0.005;
    run(model, setup, &result);
    double size = 1.0, worst = 0.0;
    for (std::size_t k = 0; k < truth.final_v.size(); ++k) {
      size = std::max(size, std::abs(truth.final_v[k]));
      worst = std::max(worst, std::abs(truth.final_v[k] - result.final_v[k]));
    }
    EXPECT_LE(worst, 1e-7 * size) << seed;
  }
}

std::vector<std::string> integrator_names() {
  std::vector<std::string> names;
  for (const IntegratorInfo& info : integrators()) names.emplace_back(info.name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(All, Integrators, ::testing::ValuesIn(integrator_names()),
                         [](const auto& one) { return one.param; });

/// 10,000 s of a double pendulum: the energy error of the symplectic method stays where it is. Its
/// mean over the last tenth is compared with that over the first; both have the same spread.
TEST(Symplectic, ShowsNoDriftOverTenThousandSeconds) {
  const Model model = load("planar2r");
  SimulationSetup setup;
  setup.q0 = {-1.2, 0.8};
  setup.integrator = "symplectic";
  setup.accuracy.fixed_step = 0.05;
  setup.duration = 10000.0;
  setup.every = 1.0;
  RunResult result;
  const Trajectory trajectory = run(model, setup, &result);
  const std::size_t n = trajectory.size() - 1;
  double mean_t = 0.0, mean_e = 0.0, tt = 0.0, te = 0.0, ee = 0.0;
  for (std::size_t i = 0; i <= n; ++i) {
    mean_t += trajectory.at(i, "t") / static_cast<double>(n + 1);
    mean_e += trajectory.at(i, "balance") / static_cast<double>(n + 1);
  }
  for (std::size_t i = 0; i <= n; ++i) {
    const double t = trajectory.at(i, "t") - mean_t, e = trajectory.at(i, "balance") - mean_e;
    tt += t * t;
    te += t * e;
    ee += e * e;
  }
  const double slope = te / tt, noise = std::sqrt(ee / static_cast<double>(n - 1) / tt);
  EXPECT_LE(std::abs(slope), 4.0 * noise);  // four standard errors of the regression
  EXPECT_LE(result.largest_imbalance, 1e-5 * result.largest_energy);
}

}  // namespace
}  // namespace ulna
