// Stepping by hand against whole runs, and without allocations.
#include <gtest/gtest.h>

#include <cmath>

#include "support/allocations.hpp"
#include "support/runs.hpp"
#include "support/small_robots.hpp"
#include "ulna/base/error.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/model/build.hpp"
#include "ulna/simulate/stepper.hpp"

namespace ulna {
namespace {

using test::finish;

Model robot(const char* name) { return build(load_graph(name)); }

double torque(std::size_t step, std::size_t joint) {
  return 3.0 * std::sin(0.1 * static_cast<double>(step) + static_cast<double>(joint));
}

class EveryIntegrator : public ::testing::TestWithParam<const char*> {};

TEST_P(EveryIntegrator, StepsAreThoseOfARunWithATable) {
  const Model model = robot("puma560");
  const auto n = static_cast<std::size_t>(model.nv());
  constexpr std::size_t steps = 50;
  const double step = 0.004;
  SimulationSetup setup;
  setup.integrator = GetParam();
  setup.duration = steps * step;
  test::choose_step(setup);
  if (setup.accuracy.fixed_step > 0.0) setup.accuracy.fixed_step = step;
  for (std::size_t k = 0; k < steps; ++k) {
    setup.actions.held.steps.times.push_back(static_cast<double>(k) * step);
    for (std::size_t i = 0; i < n; ++i) setup.actions.held.steps.torques.push_back(torque(k, i));
  }
  const RunResult whole = finish(model, setup).result;

  Stepper stepper(model, GetParam(), step);
  std::vector<double> tau(n);
  for (std::size_t k = 0; k < steps; ++k) {
    for (std::size_t i = 0; i < n; ++i) tau[i] = torque(k, i);
    stepper.step(tau);
  }
  EXPECT_EQ(stepper.time(), steps * step);
  // The same steps but for the rounding of their ends; those that choose their steps choose others.
  const double allowed = setup.accuracy.fixed_step > 0.0 ? 1e-11 : 1e-6;
  EXPECT_LT(test::largest_difference(whole.final_q, {stepper.q().begin(), stepper.q().end()}), allowed);
  EXPECT_LT(test::largest_difference(whole.final_v, {stepper.v().begin(), stepper.v().end()}), 10 * allowed);
}

INSTANTIATE_TEST_SUITE_P(All, EveryIntegrator,
                         ::testing::Values("rk4", "rkf45", "dp5", "dop853", "adams", "bdf", "symplectic"),
                         [](const auto& each) { return std::string(each.param); });

TEST(Stepper, AWrenchOnABallIsItsAcceleration) {
  const Model model = build(test::floating_ball(2.0, 0.1, {0.3, 0, 0}));
  Stepper stepper(model, "rk4", 0.01);
  const std::vector<double> none(6);
  const std::vector<Force<double>> push{{{0, 0, 0}, {0, 4.0, 0}}};
  for (int k = 0; k < 100; ++k) stepper.step(none, push);
  EXPECT_NEAR(stepper.q()[1], 0.5 * 2.0 * 1.0, 1e-12);  // at the mass centre: nothing turns
  for (int k = 0; k < 100; ++k) stepper.step(none);
  EXPECT_NEAR(stepper.q()[1], 1.0 + 2.0, 1e-12);
}

TEST(Stepper, AMechanismStaysClosed) {
  const Model model = robot("slider_crank");
  Stepper stepper(model, "dop853", 0.005);
  std::vector<double> q(model.neutral()), v(static_cast<std::size_t>(model.nv()), 0.0);
  q[0] = 0.7;
  stepper.set_state(q, v);
  SimulationSetup setup;
  setup.duration = 0.5;
  setup.q0.assign(stepper.q().begin(), stepper.q().end());
  const RunResult whole = finish(model, setup).result;
  for (int k = 0; k < 100; ++k) stepper.step(v);
  EXPECT_LT(test::largest_difference(whole.final_q, {stepper.q().begin(), stepper.q().end()}), 1e-7);
}

TEST(Stepper, AllocatesNothing) {
  const Model arm = robot("panda_like"), satellite = robot("satellite_arm");
  for (const Model* model : {&arm, &satellite}) {
    const std::vector<double> tau(static_cast<std::size_t>(model->nv()), 0.1);
    const std::vector<Force<double>> wrenches(model->bodies().size(), {{0.1, 0, 0}, {0, 1, 0}});
    for (const char* integrator : {"rk4", "rkf45", "dp5", "dop853"}) {
      Stepper stepper(*model, integrator, 0.001,
                      {.frame_loads = {FrameWall{model->tip(), {0, 0, -2}, {0, 0, 1}, 1e4, 10.0, 0.1}}});
      stepper.step(tau, wrenches);  // makes room for wrenches
      const std::size_t before = allocations;
      for (int k = 0; k < 20; ++k) stepper.step(tau, wrenches);
      EXPECT_EQ(allocations, before) << integrator;
    }
  }
}

TEST(Stepper, WhatCannotBeIsRefused) {
  const Model model = robot("planar2r");
  EXPECT_THROW(Stepper(model, "euler", 0.1), InputError);
  EXPECT_THROW(Stepper(model, "rk4", 0.0), InputError);
  EXPECT_THROW(Stepper(model, "rk4", NAN), InputError);
  Stepper stepper(model, "dop853", 0.1);
  const std::vector<double> one{1.0}, nan{0.0, NAN}, fine{0.0, 0.0}, endless{1e300, -1e300};
  EXPECT_THROW(stepper.step(one), std::invalid_argument);
  EXPECT_THROW(stepper.step(nan), InputError);
  EXPECT_THROW(stepper.set_state(nan, fine), InputError);
  const std::vector<double> before(stepper.q().begin(), stepper.q().end());
  EXPECT_THROW(stepper.step(endless), std::runtime_error);
  EXPECT_EQ(std::vector<double>(stepper.q().begin(), stepper.q().end()), before);
  EXPECT_EQ(stepper.time(), 0.0);
  stepper.step(fine);
  EXPECT_EQ(stepper.time(), 0.1);

  const Model ball = build(test::floating_ball(2.0, 0.1, {0.3, 0, 0}));
  Stepper flight(ball, "rk4", 0.01);
  const std::vector<double> no_turn{0, 0, 0, 0, 0, 0, 0}, still(6);
  EXPECT_THROW(flight.set_state(no_turn, still), InputError);
}

TEST(Stepper, ItsStateCanBeKept) {
  const Model model = robot("planar2r");
  Stepper stepper(model, "rk4", 0.01);
  const std::span<const double> q = stepper.q();
  const std::vector<double> none{0.0, 0.0};
  for (int k = 0; k < 3; ++k) {
    stepper.step(none);
    EXPECT_EQ(q[0], stepper.q()[0]);
  }
  EXPECT_THROW(stepper.set_state(none, none, NAN), InputError);
  EXPECT_THROW(Stepper(model, "rk4", 0.01, {.baumgarte = -1.0}), InputError);
}

TEST(Stepper, ALoadThatThrowsLeavesTheState) {
  const Model model = robot("planar2r");
  bool broken = false;
  Stepper stepper(model, "bdf", 0.1, {.user_loads = {UserLoad{[&](auto&&...) {
                                        if (broken) throw std::domain_error("no table there");
                                      }}}});
  Stepper other(model, "bdf", 0.1, {.user_loads = {UserLoad{[](auto&&...) {}}}});
  const std::vector<double> none{0.0, 0.0};
  stepper.step(none);
  other.step(none);
  const std::vector<double> before(stepper.q().begin(), stepper.q().end());
  broken = true;
  EXPECT_THROW(stepper.step(none), std::domain_error);
  EXPECT_EQ(stepper.time(), 0.1);
  EXPECT_EQ(std::vector<double>(stepper.q().begin(), stepper.q().end()), before);
  broken = false;
  stepper.step(none);
  other.step(none);
  EXPECT_EQ(std::vector<double>(stepper.q().begin(), stepper.q().end()),
            std::vector<double>(other.q().begin(), other.q().end()));
}

}  // namespace
}  // namespace ulna
