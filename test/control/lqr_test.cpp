// Linear feedback, against closed forms, the equations themselves and what the motion costs.
#include "ulna/control/lqr.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>
#include <random>

#include "support/small_robots.hpp"
#include "ulna/base/error.hpp"
#include "ulna/control/linearise.hpp"
#include "ulna/dynamics/method.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/model/random_state.hpp"

namespace ulna {
namespace {

using Eigen::Map;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double epsilon = std::numeric_limits<double>::epsilon();

MatrixXd matrix(const std::vector<double>& x, int rows, int cols) { return Map<const MatrixXd>(x.data(), rows, cols); }
VectorXd vector(const std::vector<double>& x) { return Map<const VectorXd>(x.data(), std::ssize(x)); }

/// A cart of mass m: with weights p, d and r K = (√(p/r), √(d/r + 2m √(p/r))).
TEST(Lqr, DoubleIntegrator) {
  const std::vector<double> zero{0.0};
  for (const double mass : {1.0, 2.0, 0.01}) {
    const LinearSystem cart = linearise(build(test::slider(mass)), zero, zero, zero);
    for (const auto& [p, d, r] :
         {std::array{1.0, 0.0, 1.0}, std::array{100.0, 1.0, 0.01}, std::array{1.0, 5.0, 30.0}}) {
      const LqrGains gains = lqr(cart, {{p, d}, {r}});
      ASSERT_TRUE(gains.found()) << gains.reason;
      EXPECT_NEAR(gains.K[0], std::sqrt(p / r), 1e-12 * gains.K[0]);
      EXPECT_NEAR(gains.K[1], std::sqrt(d / r + 2.0 * mass * std::sqrt(p / r)), 1e-12 * gains.K[1]);
    }
  }
}

struct Case {
  LinearSystem system;
  LqrWeights weights;
};

/// Arms in random postures, held there, with random weights.
std::vector<Case> arms() {
  std::mt19937_64 generator(21);
  std::uniform_real_distribution<double> weight(0.1, 10.0);
  std::vector<Case> cases;
  for (const char* name : {"planar2r", "planar3r", "puma560", "panda_like", "ur5_like", "kuka_lwr4", "scara"}) {
    const Model model = load(name);
    Lineariser lineariser(model);
    for (int k = 0; k < 3; ++k) {
      const std::vector<double> q = random_position(model, generator), v(static_cast<std::size_t>(model.nv()));
      Case one{lineariser(q, v, lineariser.torques(q, v)), {}};
      for (int i = 0; i < one.system.states; ++i) one.weights.state.push_back(weight(generator));
      for (int i = 0; i < one.system.inputs; ++i) one.weights.input.push_back(0.01 * weight(generator));
      cases.push_back(std::move(one));
    }
  }
  return cases;
}

TEST(Lqr, SolvesItsRiccatiEquation) {
  for (const Case& one : arms()) {
    const LqrGains gains = lqr(one.system, one.weights);
    ASSERT_TRUE(gains.found()) << gains.reason;
    const int n = one.system.states, m = one.system.inputs;
    const MatrixXd A = matrix(one.system.A, n, n), B = matrix(one.system.B, n, m), P = matrix(gains.P, n, n);
    const MatrixXd Q = vector(one.weights.state).asDiagonal(), R = vector(one.weights.input).asDiagonal();
    const MatrixXd G = B * R.inverse() * B.transpose();
    const MatrixXd residual = A.transpose() * P + P * A - P * G * P + Q;
    // Each product rounds by n ε of its factors.
    const double size = 2.0 * A.norm() * P.norm() + P.norm() * G.norm() * P.norm() + Q.norm();
    EXPECT_LE(residual.norm(), 10.0 * n * epsilon * size);
    EXPECT_LE((matrix(gains.K, m, n) - R.inverse() * B.transpose() * P).norm(),
              10.0 * n * epsilon * R.inverse().norm() * B.norm() * P.norm());
    EXPECT_GT(Eigen::SelfAdjointEigenSolver<MatrixXd>(P).eigenvalues().minCoeff(), 0.0);
  }
}

/// What a motion with the feedback held between samples costs, by small steps of fourth order.
double cost_of(const Case& one, const MatrixXd& K, double period, VectorXd x) {
  const int n = one.system.states, m = one.system.inputs;
  const MatrixXd A = matrix(one.system.A, n, n), B = matrix(one.system.B, n, m);
  const VectorXd q = vector(one.weights.state), r = vector(one.weights.input);
  double cost = 0.0;
  const int parts = 40;
  const double h = period / parts;
  for (int sample = 0; sample < 4000 && x.norm() > 1e-9; ++sample) {
    const VectorXd u = -K * x;
    const auto slope = [&](const VectorXd& at) -> VectorXd { return A * at + B * u; };
    const auto rate = [&](const VectorXd& at) { return at.dot(q.asDiagonal() * at) + u.dot(r.asDiagonal() * u); };
    for (int k = 0; k < parts; ++k) {
      const VectorXd k1 = slope(x), k2 = slope(x + 0.5 * h * k1), k3 = slope(x + 0.5 * h * k2), k4 = slope(x + h * k3);
      const VectorXd middle = x + h / 24.0 * (5.0 * k1 + 4.0 * k2 + 4.0 * k3 - k4);  // third order is enough within
      const VectorXd end = x + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
      cost += h / 6.0 * (rate(x) + 4.0 * rate(middle) + rate(end));
      x = end;
    }
  }
  return cost;
}

TEST(Lqr, SampledCostIsWhatTheMotionCosts) {
  const Model model = build(test::pendulum());
  const std::vector<double> up{std::numbers::pi / 2}, zero{0.0};
  const Case one{linearise(model, up, zero, zero), {{2.0, 0.5}, {0.1}}};
  const double period = 0.1;
  const LqrGains gains = sampled_lqr(one.system, one.weights, period);
  ASSERT_TRUE(gains.found()) << gains.reason;
  const MatrixXd K = matrix(gains.K, 1, 2), P = matrix(gains.P, 2, 2);
  for (const VectorXd& x : {VectorXd(Eigen::Vector2d(1, 0)), VectorXd(Eigen::Vector2d(0.3, -2))}) {
    const double told = x.dot(P * x), cost = cost_of(one, K, period, x);
    EXPECT_NEAR(told, cost, 1e-7 * told);
    for (const auto& other : {Eigen::RowVector2d(0.3, 0), Eigen::RowVector2d(-0.3, 0), Eigen::RowVector2d(0, 0.3),
                              Eigen::RowVector2d(0, -0.3)})
      EXPECT_GT(cost_of(one, K + other, period, x), cost * (1.0 - 1e-9));
  }
}

/// A mode that dies out within hundredths of a sample: its velocity is B u/5000, and what is left is a position that
/// moves by u/1000 per second, so slow that the gains are those of all the time, K = (1, 1/5000).
TEST(Lqr, SamplesOfAFastMode) {
  LinearSystem system;
  system.states = 2;
  system.inputs = 1;
  system.A = {0, 0, 1, -5000};
  system.B = {0, 5};
  const LqrGains continuous = lqr(system, {{1, 0}, {1}});
  ASSERT_TRUE(continuous.found()) << continuous.reason;
  for (const double period : {0.1, 0.05, 0.02, 1e-4}) {
    const LqrGains gains = sampled_lqr(system, {{1, 0}, {1}}, period);
    ASSERT_TRUE(gains.found()) << gains.reason;
    // A sample is some 1e-4 of the closed loop's time constant, 1000 s.
    EXPECT_NEAR(gains.K[0], 1.0, 1e-3) << period;
    EXPECT_NEAR(gains.K[1], 2e-4, 1e-3 * 2e-4) << period;
    EXPECT_NEAR(gains.K[0], continuous.K[0], 1e-3) << period;
  }
}

TEST(Lqr, ShortSamplesAreContinuous) {
  for (const Case& one : arms()) {
    const LqrGains gains = lqr(one.system, one.weights);
    const auto distance = [&](double period) {
      const LqrGains held = sampled_lqr(one.system, one.weights, period);
      EXPECT_TRUE(held.found()) << held.reason;
      for (const std::complex<double>& pole : held.poles) EXPECT_LT(std::abs(pole), 1.0);
      return (vector(held.K) - vector(gains.K)).norm() / vector(gains.K).norm();
    };
    ASSERT_TRUE(gains.found()) << gains.reason;
    double fastest = 0.0;
    for (const std::complex<double>& pole : gains.poles) fastest = std::max(fastest, std::abs(pole));
    // The difference is of first order in the period; what is of second is some hundredths of it here.
    const double period = 0.01 / fastest, coarse = distance(period), fine = distance(0.5 * period);
    EXPECT_LT(coarse, 0.1);
    EXPECT_NEAR(fine / coarse, 0.5, 0.05);
  }
}

/// The arm upside down, with its whole dynamics, held by the gains.
TEST(Lqr, HoldsAnArmUpright) {
  const Model model = load("planar2r");
  const std::vector<double> up{std::numbers::pi / 2, 0.0}, still(2);
  Lineariser lineariser(model, {1});  // one motor, at the elbow
  const LinearisedRobot robot = lineariser(up, still, lineariser.torques(up, still));
  const LqrGains gains = lqr(robot, {{1, 1, 1, 1}, {1}});
  ASSERT_TRUE(gains.found()) << gains.reason;
  const auto method = make_method<double>("auto", Quantity::forward_dynamics, model);
  std::vector<double> q{up[0] + 0.02, -0.03}, v{0.0, 0.0}, a(2), tau(2);
  constexpr double h = 1e-3;
  for (int k = 0; k < 20000; ++k) {
    tau[1] = -(gains.K[0] * (q[0] - up[0]) + gains.K[1] * q[1] + gains.K[2] * v[0] + gains.K[3] * v[1]);
    method->forward_dynamics(q, v, tau, a);
    for (std::size_t i = 0; i < 2; ++i) {
      v[i] += h * a[i];
      q[i] += h * v[i];
    }
  }
  EXPECT_NEAR(q[0], up[0], 1e-6);
  EXPECT_NEAR(q[1], 0.0, 1e-6);
}

TEST(Lqr, TellsWhyThereAreNone) {
  Graph graph = test::slider(1.0);
  graph.bodies.push_back(graph.bodies[1]);
  graph.bodies[2].name = "second";
  graph.joints.push_back(graph.joints[0]);
  graph.joints[1].name = "other";
  graph.joints[1].child = "second";
  const std::vector<double> zero(2);
  const Model model = build(graph);
  EXPECT_NE(lqr(linearise(model, zero, zero, zero, {0}), {{1, 1, 1, 1}, {1}}).reason.find("no input"),
            std::string::npos);
  EXPECT_FALSE(sampled_lqr(linearise(model, zero, zero, zero, {0}), {{1, 1, 1, 1}, {1}}, 0.01).found());
  const LinearSystem system = linearise(model, zero, zero, zero);
  EXPECT_FALSE(lqr(system, {{1, 0, 1, 0}, {1, 1}}).found());  // the second costs nothing
  for (const double period : {1.0, 0.01, 1e-4, 1e-6})
    EXPECT_FALSE(sampled_lqr(system, {{1, 0, 1, 0}, {1, 1}}, period).found()) << period;
  EXPECT_THROW(lqr(system, {{1, 1}, {1, 1}}), InputError);
  EXPECT_THROW(lqr(system, {{1, 1, 1, -1}, {1, 1}}), InputError);
  EXPECT_THROW(lqr(system, {{1, 1, 1, 1}, {1, 0}}), InputError);
  EXPECT_THROW(sampled_lqr(system, {{1, 1, 1, 1}, {1, 1}}, -1.0), InputError);
}

}  // namespace
}  // namespace ulna
