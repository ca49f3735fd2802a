// Loads, pulses and noise: closed forms, and statistics with derived bounds.
#include <gtest/gtest.h>

#include <numbers>

#include "support/runs.hpp"
#include "support/small_robots.hpp"
#include "ulna/base/error.hpp"
#include "ulna/io/robot/load.hpp"

namespace ulna {
namespace {

using test::finish;
using test::FinishedRun;

SimulationSetup accurate(double duration) {
  SimulationSetup setup;
  setup.duration = duration;
  setup.every = 0.1;
  setup.accuracy.relative = setup.accuracy.absolute = 1e-12;
  return setup;
}

constexpr double steps_of_tolerance = 1e-10;  // at most a hundred steps of 1e-12 in these runs

/// A force through the mass centre moves it by F t²/2m and turns nothing.
TEST(LinkLoad, ForceAtTheMassCentreOfAFreeBody) {
  const Vec3<double> com{0.1, -0.2, 0.3};
  const Model model = build(test::floating_ball(2.0, 0.5, com));
  SimulationSetup setup = accurate(2.0);
  setup.q0 = {0, 0, 0, 0.5, 0.5, 0.5, 0.5};
  setup.actions.held.loads.push_back({0, {{0, 0, 0}, {1.0, -2.0, 3.0}}});
  const FinishedRun run = finish(model, setup);
  const double moved = 0.5 * 2.0 * 2.0 / 2.0;  // t²/2m
  EXPECT_NEAR(run.result.final_q[0], 1.0 * moved, steps_of_tolerance);
  EXPECT_NEAR(run.result.final_q[1], -2.0 * moved, steps_of_tolerance);
  EXPECT_NEAR(run.result.final_q[2], 3.0 * moved, steps_of_tolerance);
  for (std::size_t k = 3; k < 7; ++k) EXPECT_NEAR(run.result.final_q[k], 0.5, steps_of_tolerance);
  EXPECT_NEAR(run.trajectory.at(run.last(), "work_loads"), 14.0 * moved, 10 * steps_of_tolerance);
}

/// A moment in world axes turns a ball by M t²/2I about that axis of the world, not of the ball.
TEST(LinkLoad, MomentIsInWorldAxes) {
  const Model model = build(test::floating_ball(2.0, 0.5, {0, 0, 0}));
  SimulationSetup setup = accurate(1.0);
  const double half = std::sqrt(0.5);
  setup.q0 = {0, 0, 0, half, 0, 0, half};  // a quarter turn about x: the ball's y is the world's z
  setup.actions.held.loads.push_back({0, {{0, 0, 0.8}, {0, 0, 0}}});
  const RunResult result = finish(model, setup).result;
  const double angle = 0.5 * 0.8 / 0.5, c = std::cos(0.5 * angle), s = std::sin(0.5 * angle);
  // (0, 0, s, c)·(half, 0, 0, half)
  const double expected[] = {half * c, half * s, half * s, half * c};
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(result.final_q[3 + k], expected[k], steps_of_tolerance);
}

/// A pendulum pushed sideways by its own weight rests at 45 degrees.
TEST(LinkLoad, BalancesAPendulum) {
  const Model model = build(test::pendulum());
  SimulationSetup setup = accurate(2.0);
  setup.q0 = {-std::numbers::pi / 4.0};
  setup.actions.held.loads.push_back({0, {{0, 0, 0}, {9.81, 0, 0}}});
  EXPECT_NEAR(finish(model, setup).result.final_q[0], -std::numbers::pi / 4.0, steps_of_tolerance);
}

TEST(LinkLoad, ActsFromItsTimeUntilItsTime) {
  const Model model = build(test::slider(2.0));
  SimulationSetup setup = accurate(2.0);
  setup.actions.held.loads.push_back({0, {{0, 0, 0}, {6.0, 0, 0}}, 0.35, 1.05});
  const FinishedRun run = finish(model, setup);
  EXPECT_EQ(run.trajectory.at(3, "v1"), 0.0);  // t = 0.3: not a hair too early
  EXPECT_NEAR(run.result.final_v[0], 6.0 * 0.7 / 2.0, 1e-13);
  EXPECT_NEAR(run.result.final_q[0], 3.0 * 0.7 * 0.7 / 2.0 + 2.1 * (2.0 - 1.05), 1e-13);
}

TEST(TorquePulse, ChangesTheVelocityByItsImpulseForEveryIntegrator) {
  const Model model = build(test::slider(2.0));
  for (const IntegratorInfo& info : integrators()) {
    SimulationSetup setup = accurate(2.0);
    setup.integrator = info.name;
    test::choose_step(setup);
    setup.actions.held.pulses.push_back({0, 5.0, 0.123, 0.456});
    setup.actions.held.pulses.push_back({0, -1.0, 0.4});
    const double expected = (5.0 * (0.456 - 0.123) - 1.0 * (2.0 - 0.4)) / 2.0;
    EXPECT_NEAR(finish(model, setup).result.final_v[0], expected, 1e-9) << info.name;
  }
}

/// from ≤ t < until, in the samples too.
TEST(TorquePulse, IsSeenFromItsBeginningAndNotAtItsEnd) {
  const Model model = build(test::slider(1.0));
  SimulationSetup setup = accurate(1.0);
  setup.every = 0.125;
  setup.actions.held.pulses.push_back({0, 5.0, 0.25, 0.5});
  setup.actions.held.pulses.push_back({0, 1.0, 1.0});
  EXPECT_EQ(finish(model, setup).column("tau1"), (std::vector<double>{0, 0, 5, 5, 0, 0, 0, 0, 1}));
  EXPECT_EQ(finish(model, setup).column("a1"), (std::vector<double>{0, 0, 5, 5, 0, 0, 0, 0, 1}));
}

/// The noise of one joint, one number per period.
std::vector<double> noise(std::uint64_t seed, std::size_t which, std::size_t count) {
  const Model model = load("planar2r");
  HeldSpec spec;
  spec.seed = seed;
  spec.noises = {{0, 1.0, 0.01}, {1, 1.0, 0.01}};
  HeldActions held(model, spec, nullptr);
  const std::vector<double> q(2), v(2);
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) {
    held.enter(0.01 * static_cast<double>(i), q, v);
    values.push_back(held.disturbance()[which]);
  }
  return values;
}

double mean_product(const std::vector<double>& a, const std::vector<double>& b, std::size_t shift = 0) {
  double sum = 0.0;
  for (std::size_t i = 0; i + shift < a.size(); ++i) sum += a[i] * b[i + shift];
  return sum / static_cast<double>(a.size() - shift);
}

/// Of N independent normal numbers the mean has the deviation 1/√N, the mean square √(2/N), the
/// mean fourth power √(96/N) and mean products 1/√N: five of them happen to one seed in two million.
TEST(TorqueNoise, IsNormalAndWhite) {
  constexpr std::size_t n = 20000;
  const double five = 5.0 / std::sqrt(static_cast<double>(n));
  const std::vector<double> x = noise(1, 0, n), other_joint = noise(1, 1, n), other_seed = noise(2, 0, n);
  double fourth = 0.0;
  for (const double value : x) fourth += value * value * value * value / static_cast<double>(n);
  EXPECT_NEAR(mean_product(x, std::vector<double>(n, 1.0)), 0.0, five);
  EXPECT_NEAR(mean_product(x, x), 1.0, std::sqrt(2.0) * five);
  EXPECT_NEAR(fourth, 3.0, std::sqrt(96.0) * five);
  for (const std::size_t shift : {1u, 2u, 64u}) EXPECT_NEAR(mean_product(x, x, shift), 0.0, five) << shift;
  EXPECT_NEAR(mean_product(x, other_joint), 0.0, five);
  EXPECT_NEAR(mean_product(x, other_seed), 0.0, five);
}

TEST(TorqueNoise, DependsOnTheSeedAlone) {
  EXPECT_EQ(noise(5, 0, 100), noise(5, 0, 100));
  const std::vector<double> a = noise(5, 0, 100), b = noise(6, 0, 100);
  for (std::size_t i = 0; i < 100; ++i) EXPECT_NE(a[i], b[i]);
}

/// Sampled in the middle of its periods the torque is the same number for every integrator.
TEST(TorqueNoise, IsTheSameForEveryIntegrator) {
  const Model model = load("planar2r");
  std::vector<double> first;
  for (const IntegratorInfo& info : integrators()) {
    SimulationSetup setup;
    setup.duration = 0.5;
    setup.every = 0.025;
    setup.integrator = info.name;
    test::choose_step(setup);
    setup.actions.held.noises.push_back({1, 3.0, 0.05});
    setup.actions.held.seed = 9;
    const std::vector<double> all = finish(model, setup).column("tau2");
    std::vector<double> middles;
    for (std::size_t i = 1; i < all.size(); i += 2) middles.push_back(all[i]);
    if (first.empty()) first = middles;
    EXPECT_EQ(middles, first) << info.name;
  }
}

TEST(HeldActions, BreaksAreTheTimesAtWhichSomethingJumps) {
  const Model model = load("planar2r");
  HeldSpec spec;
  spec.loads.push_back({1, Force<double>::zero(), 0.5, 2.0});
  spec.pulses.push_back({0, 1.0, 0.25, 3.0});
  spec.steps = {{1.5}, {1.0, 2.0}};
  spec.sample = 0.8;
  const HeldActions held(model, spec, nullptr);
  double t = 0.0;
  for (const double next : {0.25, 0.5, 0.8, 1.5, 1.6, 2.0, 2.4, 3.0, 3.2}) {
    EXPECT_NEAR(held.next_break(t), next, 1e-15);
    t = held.next_break(t);
  }
}

/// Ten million periods on, the next one is still found.
TEST(HeldActions, PeriodsAreNeverSkipped) {
  const Model model = load("planar2r");
  HeldSpec spec;
  spec.sample = 0.1;
  const HeldActions held(model, spec, nullptr);
  for (double t = 1e6; t < 1e6 + 100.0;) {
    const double next = held.next_break(t);
    ASSERT_NEAR(next - t, 0.1, 1e-9);
    t = next;
  }
}

/// Three times 0.1 is a rounding more than 0.3: two jumps with no room for a step between them.
TEST(HeldActions, JumpsMayBeARoundingApart) {
  const Model model = build(test::slider(1.0));
  for (const IntegratorInfo& info : integrators()) {
    SimulationSetup setup = accurate(1.0);
    setup.integrator = info.name;
    test::choose_step(setup);
    setup.actions.drive = ConstantDrive{{1.0}};
    setup.actions.held.sample = 0.1;
    setup.actions.held.pulses.push_back({0, 2.0, 0.3, 0.6});
    setup.actions.held.pulses.push_back({0, 5.0, 0.5, std::nextafter(0.5, 1.0)});
    const FinishedRun run = finish(model, setup);
    ASSERT_EQ(run.result.status, RunStatus::completed) << info.name << ": " << run.result.reason;
    EXPECT_NEAR(run.result.final_v[0], 1.0 + 2.0 * 0.3, 1e-9) << info.name;
  }
}

TEST(HeldActions, ImpossibleNumbersAreRefused) {
  const Model model = load("planar2r");
  const auto refuse = [&](const HeldSpec& spec) { EXPECT_THROW(HeldActions(model, spec, nullptr), InputError); };
  HeldSpec spec;
  refuse((spec = {}, spec.sample = -1.0, spec));
  refuse((spec = {}, spec.sample = NAN, spec));
  refuse((spec = {}, spec.noises = {{0, 1.0, 0.0}}, spec));
  refuse((spec = {}, spec.noises = {{2, 1.0, 0.1}}, spec));
  refuse((spec = {}, spec.noises = {{0, NAN, 0.1}}, spec));
  refuse((spec = {}, spec.pulses = {{-1, 1.0}}, spec));
  refuse((spec = {}, spec.pulses = {{0, INFINITY}}, spec));
  refuse((spec = {}, spec.loads = {{2, Force<double>::zero()}}, spec));
  refuse((spec = {}, spec.loads = {{0, {{0, 0, 0}, {NAN, 0, 0}}}}, spec));
  refuse((spec = {}, spec.steps = {{0.0}, {1.0}}, spec));
  refuse((spec = {}, spec.steps = {{1.0, 0.0}, {1.0, 2.0, 3.0, 4.0}}, spec));
}

/// A digital controller knows nothing of what happens between its samples.
TEST(SampledDrive, IsAskedAtItsSamplesAlone) {
  const Model model = load("planar2r");
  SimulationSetup setup = accurate(2.0);
  std::vector<double> asked;
  setup.actions.drive = UserDrive{[&](double t, auto, auto, std::span<double> tau) {
    asked.push_back(t);
    tau[0] += 1.0;
  }};
  setup.actions.held.sample = 0.5;
  setup.actions.held.pulses.push_back({0, 1e-12, 0.26, 0.31});
  finish(model, setup);
  ASSERT_GE(asked.size(), 4U);
  for (std::size_t k = 0; k < asked.size(); ++k) EXPECT_EQ(asked[k], 0.5 * static_cast<double>(k));
}

}  // namespace
}  // namespace ulna
