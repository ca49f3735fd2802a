// Linear systems of robots, against closed forms, energies and differences.
#include "ulna/control/linearise.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "support/closed_state.hpp"
#include "support/small_robots.hpp"
#include "support/test_robots.hpp"
#include "ulna/base/error.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/loop/constrained_dynamics.hpp"
#include "ulna/loop/rates.hpp"

namespace ulna {
namespace {

constexpr double rounding = 1e-12;  // a few thousand operations on numbers near one

/// Of a rod of 1 m and 1 kg about its end, m g l/2 over m l²/3.
constexpr double pendulum_square = 1.5 * 9.81;

TEST(Linearise, Pendulum) {
  Graph graph = test::pendulum();
  graph.joints[0].passive.viscous = 0.4;
  const Model model = build(graph);
  const std::vector<double> still{0.0};
  const LinearisedRobot hanging = linearise(model, std::vector<double>{-std::numbers::pi / 2}, still, still);
  EXPECT_NEAR(hanging.a_matrix()(1, 0), -pendulum_square, 20 * rounding);
  EXPECT_NEAR(hanging.a_matrix()(1, 1), -0.4 * 3.0, rounding);
  EXPECT_NEAR(hanging.b_matrix()(1, 0), 3.0, rounding);
  EXPECT_NEAR(hanging.a[0], 0.0, 20 * rounding);
  const std::vector<LinearMode> swing = modes(hanging);
  ASSERT_EQ(swing.size(), 1u);  // one pair
  EXPECT_NEAR(swing[0].frequency, std::sqrt(pendulum_square), 20 * rounding);
  EXPECT_NEAR(swing[0].damping, 0.4 * 3.0 / (2.0 * std::sqrt(pendulum_square)), rounding);
  EXPECT_TRUE(swing[0].controllable);
  const std::vector<LinearMode> standing =
      modes(linearise(build(test::pendulum()), std::vector<double>{std::numbers::pi / 2}, still, still));
  ASSERT_EQ(standing.size(), 2u);  // one falls, one dies out
  EXPECT_NEAR(std::abs(standing[0].eigenvalue.real()), std::sqrt(pendulum_square), 20 * rounding);
  EXPECT_NEAR(standing[0].damping + standing[1].damping, 0.0, rounding);
}

/// Two carts of 1 kg, each on a spring of 1 N/m, the second on the first: ω² = (3 ± √5)/2.
Graph two_carts() {
  Graph graph = test::slider(1.0);
  graph.joints[0].passive.stiffness = 1.0;
  graph.bodies.push_back(graph.bodies[1]);
  graph.bodies[2].name = "second";
  graph.joints.push_back(graph.joints[0]);
  graph.joints[1].name = "upper";
  graph.joints[1].parent = "cart";
  graph.joints[1].child = "second";
  return graph;
}

TEST(Linearise, TwoMassOscillator) {
  const Model model = build(two_carts());
  const std::vector<double> zero{0.0, 0.0};
  const std::vector<LinearMode> list = modes(linearise(model, zero, zero, zero));
  ASSERT_EQ(list.size(), 2u);
  EXPECT_NEAR(list[0].frequency, std::sqrt((3.0 - std::sqrt(5.0)) / 2.0), rounding);
  EXPECT_NEAR(list[1].frequency, std::sqrt((3.0 + std::sqrt(5.0)) / 2.0), rounding);
  EXPECT_NEAR(list[0].damping, 0.0, rounding);
  // One motor moves both through the spring.
  EXPECT_TRUE(modes(linearise(model, zero, zero, zero, {0}))[1].controllable);
}

TEST(Linearise, ControllabilityIsTold) {
  Graph graph = two_carts();
  graph.joints[1].parent = "base";  // beside each other: a motor at the first does nothing to the second
  graph.joints[1].passive.stiffness = 4.0;
  const std::vector<double> zero{0.0, 0.0};
  const std::vector<LinearMode> list = modes(linearise(build(graph), zero, zero, zero, {0}));
  ASSERT_EQ(list.size(), 2u);
  EXPECT_TRUE(list[0].controllable);
  EXPECT_FALSE(list[1].controllable);
  EXPECT_EQ(list[1].strongest, 1);
  // Momentum of what floats stays, whatever the joints do.
  const Model satellite = load("satellite_arm");
  const std::vector<double> still(static_cast<std::size_t>(satellite.nv()));
  const std::vector<LinearMode> floating = modes(linearise(satellite, satellite.neutral(), still, still));
  EXPECT_TRUE(std::ranges::any_of(floating, [](const LinearMode& mode) { return !mode.controllable; }));
}

/// Two motions that differ by x at first, seen from one another a little before and after.
std::vector<double> rate_of_difference(const Model& model, const std::vector<double>& q, const std::vector<double>& v,
                                       const std::vector<double>& dq, const std::vector<double>& dv) {
  constexpr double h = 1e-4;
  const auto n = static_cast<std::size_t>(model.nv());
  std::vector<double> rate(n), step(n), near(q.size()), a(q.size()), b(q.size());
  for (const double side : {1.0, -1.0}) {
    for (const double time : {h, -h}) {
      for (std::size_t k = 0; k < n; ++k) step[k] = time * v[k];
      integrate(model, q, step, a);
      for (std::size_t k = 0; k < n; ++k) step[k] = side * h * dq[k];
      integrate(model, q, step, near);
      for (std::size_t k = 0; k < n; ++k) step[k] = time * (v[k] + side * h * dv[k]);
      integrate(model, near, step, b);
      difference(model, a, b, step);
      for (std::size_t k = 0; k < n; ++k) rate[k] += side * (time > 0 ? 1.0 : -1.0) * step[k] / (4.0 * h * h);
    }
  }
  return rate;
}

TEST(Linearise, PositionsOfEveryRobot) {
  std::mt19937_64 generator(11);
  int turning = 0;
  for (const Graph& graph : test::test_robots()) {
    if (!test::is_positive_definite(graph)) continue;
    const Model model = build(graph);
    const auto n = static_cast<std::size_t>(model.nv());
    const std::vector<double> q = random_position(model, generator), v = random_velocity(model, generator),
                              dq = random_velocity(model, generator), dv = random_velocity(model, generator);
    const LinearisedRobot robot = linearise(model, q, v, std::vector<double>(n));
    const std::vector<double> want = rate_of_difference(model, q, v, dq, dv);
    turning += model.has_general_joints() ? 1 : 0;
    for (int i = 0; i < model.nv(); ++i) {
      double got = 0.0;
      for (int k = 0; k < model.nv(); ++k)
        got += robot.a_matrix()(i, k) * dq[static_cast<std::size_t>(k)] +
               robot.a_matrix()(i, model.nv() + k) * dv[static_cast<std::size_t>(k)];
      // h² of third derivatives of turns at a few rad/s, and rounding over 4h².
      EXPECT_NEAR(got, want[static_cast<std::size_t>(i)], 2e-6) << graph.name << " " << i;
    }
  }
  EXPECT_GE(turning, 5);
}

/// The lower half: accelerations at a state that is x away.
TEST(Linearise, AccelerationsOfEveryRobot) {
  std::mt19937_64 generator(12);
  for (const Graph& graph : test::test_robots()) {
    if (!test::is_positive_definite(graph)) continue;
    const Model model = build(graph);
    const auto n = static_cast<std::size_t>(model.nv());
    const std::vector<double> q = random_position(model, generator), v = random_velocity(model, generator),
                              dx = random_velocity(model, generator), tau = random_velocity(model, generator);
    const LinearisedRobot robot = linearise(model, q, v, tau);
    const auto method = make_method<double>("auto", Quantity::forward_dynamics, model);
    constexpr double h = 1e-5;
    std::vector<double> step(n), there(q.size()), fast(n), a(n), b(n);
    const auto at = [&](double side, std::vector<double>& out) {
      for (std::size_t k = 0; k < n; ++k) step[k] = side * h * dx[k];
      integrate(model, q, step, there);
      for (std::size_t k = 0; k < n; ++k) fast[k] = v[k] + side * h * dx[k];
      method->forward_dynamics(there, fast, tau, out);
    };
    at(1.0, a);
    at(-1.0, b);
    double largest = 1.0;
    for (const double x : robot.A) largest = std::max(largest, std::abs(x));
    for (std::size_t i = 0; i < n; ++i) {
      double got = 0.0;
      for (std::size_t k = 0; k < n; ++k)
        got += (robot.a_matrix()(static_cast<int>(n + i), static_cast<int>(k)) +
                robot.a_matrix()(static_cast<int>(n + i), static_cast<int>(n + k))) *
               dx[k];
      // Rounding of accelerations over h, beside h² of their third derivatives.
      EXPECT_NEAR(got, (a[i] - b[i]) / (2.0 * h), 1e-6 * largest) << graph.name << " " << i;
    }
  }
}

/// Potential energy of a mechanism as a function of its independent joint, all others following.
double potential(const Model& model, std::vector<double> q, int joint, double y) {
  q[static_cast<std::size_t>(joint)] += y;
  const Assembly closed = assemble(model, q, std::vector<int>{joint});
  EXPECT_TRUE(closed.closed);
  const Model tree = model.tree();
  Kinematics<double> kinematics(tree);
  kinematics.update_positions(closed.q);
  return kinematics.gravity_energy();
}

/// With one freedom I(y) ÿ = τ − V′(y) at rest: A = −V″/I where τ holds, B = 1/I, by energies alone.
TEST(Linearise, FourBarByItsEnergies) {
  const Model model = load("four_bar");
  const std::vector<double> q = assemble(model, model.neutral(), std::vector<int>{0}).q, still(3);
  Lineariser lineariser(model, {0});
  const std::vector<double> tau = lineariser.torques(q, still);
  const LinearisedRobot robot = lineariser(q, still, tau);
  ASSERT_EQ(robot.states, 2);
  EXPECT_EQ(robot.independent, std::vector<int>{0});
  EXPECT_NEAR(robot.a[0], 0.0, 1e-9);
  LoopEquations equations(model);
  equations.update(q);
  const std::vector<double> none(static_cast<std::size_t>(equations.rows()));
  const std::vector<double> v = dependent_rates(equations, std::vector<int>{0}, std::vector<double>{1.0}, none);
  const Model tree = model.tree();
  Kinematics<double> kinematics(tree);
  kinematics.update_positions(q);
  kinematics.update_velocities(v);
  const double inertia = 2.0 * kinematics.kinetic_energy(v);
  EXPECT_NEAR(robot.b_matrix()(1, 0), 1.0 / inertia, 1e-9);
  constexpr double h = 1e-3;
  const double second =
      (potential(model, q, 0, h) - 2.0 * potential(model, q, 0, 0.0) + potential(model, q, 0, -h)) / (h * h);
  const double slope = (potential(model, q, 0, h) - potential(model, q, 0, -h)) / (2.0 * h);
  EXPECT_NEAR(tau[0], slope, 1e-4);  // h² of V‴
  EXPECT_NEAR(robot.a_matrix()(1, 0), -second / inertia, 1e-4 * std::abs(second / inertia) + 1e-4);
}

/// Moving mechanisms of one and two freedoms: accelerations at closed states nearby.
TEST(Linearise, ClosedLoopsInMotion) {
  std::mt19937_64 generator(13);
  for (const char* name : {"four_bar", "five_bar", "slider_crank", "palletizer"}) {
    const Model model = load(name);
    const test::ClosedState state = test::random_closed_state(model, generator);
    const std::vector<double> tau = random_velocity(model, generator);
    const LinearisedRobot robot = linearise(model, state.q, state.v, tau);
    const int f = robot.states / 2;
    ConstrainedDynamics dynamics(model);
    const auto at = [&](int k, double dy, double rate) {
      std::vector<double> q = state.q, v = state.v, y, a(v.size());
      q[static_cast<std::size_t>(robot.independent[static_cast<std::size_t>(k)])] += dy;
      q = assemble(model, q, robot.independent).q;
      for (const int i : robot.independent) y.push_back(v[static_cast<std::size_t>(i)]);
      y[static_cast<std::size_t>(k)] += rate;
      LoopEquations equations(model);
      equations.update(q);
      v = dependent_rates(equations, robot.independent, y,
                          std::vector<double>(static_cast<std::size_t>(equations.rows())));
      dynamics.forward_dynamics(q, v, tau, a);
      return a;
    };
    double largest = 1.0;
    for (const double x : robot.A) largest = std::max(largest, std::abs(x));
    constexpr double h = 1e-4;
    for (int k = 0; k < f; ++k) {
      const auto up = at(k, h, 0.0), down = at(k, -h, 0.0), fast = at(k, 0.0, h), slow = at(k, 0.0, -h);
      for (int i = 0; i < f; ++i) {
        const auto own = static_cast<std::size_t>(robot.independent[static_cast<std::size_t>(i)]);
        EXPECT_NEAR(robot.a_matrix()(f + i, k), (up[own] - down[own]) / (2 * h), 1e-5 * largest) << name;
        EXPECT_NEAR(robot.a_matrix()(f + i, f + k), (fast[own] - slow[own]) / (2 * h), 1e-5 * largest) << name;
      }
    }
  }
}

TEST(Linearise, SampledSystem) {
  // A cart: x(T) = x + T v + T²/2 u.
  const Model model = build(test::slider(2.0));
  const std::vector<double> zero{0.0};
  const LinearSystem step = sampled(linearise(model, zero, zero, zero), 0.1);
  EXPECT_NEAR(step.a_matrix()(0, 1), 0.1, rounding);
  EXPECT_NEAR(step.b_matrix()(0, 0), 0.005 / 2.0, rounding);
  EXPECT_NEAR(step.b_matrix()(1, 0), 0.1 / 2.0, rounding);
  // The pendulum for half of its time: the other side, whatever the step that its exponential is halved to.
  const std::vector<double> down{-std::numbers::pi / 2};
  const LinearSystem half =
      sampled(linearise(build(test::pendulum()), down, zero, zero), std::numbers::pi / std::sqrt(pendulum_square));
  EXPECT_NEAR(half.a_matrix()(0, 0), -1.0, 100 * rounding);
  EXPECT_NEAR(half.a_matrix()(0, 1), 0.0, 100 * rounding);
}

TEST(Linearise, WrongInput) {
  const Model model = load("planar2r");
  EXPECT_THROW(Lineariser(model, {2}), InputError);
  EXPECT_THROW(Lineariser(model, {0, 0}), InputError);
  EXPECT_THROW(Lineariser(model, {}, {0}), InputError);
  const std::vector<double> q{0.0, 0.0}, bad{std::nan(""), 0.0};
  EXPECT_THROW(modes(linearise(model, q, bad, q)), InputError);
  EXPECT_THROW(sampled(linearise(model, q, q, q), 0.0), InputError);
  const Model bars = load("four_bar");
  EXPECT_THROW(linearise(bars, std::vector<double>{0.0, 0.5, 0.0}, std::vector<double>(3), std::vector<double>(3)),
               InputError);  // open
}

}  // namespace
}  // namespace ulna
