// Optimal control, against differences of the motion, Riccati's recursion and a quadratic program.
#include "ulna/control/optimal_control.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>
#include <random>

#include "support/small_robots.hpp"
#include "support/test_robots.hpp"
#include "ulna/base/error.hpp"
#include "ulna/control/linearise.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/model/local_coordinates.hpp"

namespace ulna {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

ControlProblem one_step(ControlStep method) {
  ControlProblem problem;
  problem.knots = 1;
  problem.step = 0.01;
  problem.method = method;
  problem.compiled = false;
  return problem;
}

/// What the end of a step changes by, by central differences, in the directions of v.
VectorXd change_of_end(OptimalControl& control, const Model& model, const std::vector<double>& q,
                       const std::vector<double>& v, const std::vector<double>& u, const VectorXd& x) {
  constexpr double h = 1e-5;
  const auto n = static_cast<std::size_t>(model.nv());
  std::vector<std::vector<double>> ends;
  for (const double side : {h, -h}) {
    std::vector<double> step(n), there(q.size()), fast = v, torque = u;
    for (std::size_t k = 0; k < n; ++k) step[k] = side * x[static_cast<Eigen::Index>(k)];
    integrate(model, q, step, there);
    for (std::size_t k = 0; k < n; ++k) fast[k] += side * x[static_cast<Eigen::Index>(n + k)];
    for (std::size_t k = 0; k < u.size(); ++k) torque[k] += side * x[static_cast<Eigen::Index>(2 * n + k)];
    control.start(there, fast, torque);
    ends.emplace_back(control.q(1).begin(), control.q(1).end());
    ends.emplace_back(control.v(1).begin(), control.v(1).end());
  }
  VectorXd change(2 * model.nv());
  std::vector<double> up(n), down(n);
  control.start(q, v, u);  // seen from the end of the motion itself, in whose axes the change is
  difference(model, control.q(1), ends[0], up);
  difference(model, control.q(1), ends[2], down);
  for (std::size_t k = 0; k < n; ++k) {
    change[static_cast<Eigen::Index>(k)] = (up[k] - down[k]) / (2 * h);
    change[static_cast<Eigen::Index>(n + k)] = (ends[1][k] - ends[3][k]) / (2 * h);
  }
  return change;
}

TEST(OptimalControl, DerivativesOfSteps) {
  std::mt19937_64 generator(31);
  int turning = 0;
  for (Graph graph : test::test_robots()) {
    if (!test::is_positive_definite(graph)) continue;
    graph.friction_speed = 0.1;
    const Model model = build(graph);
    if (model.nv() > 60) continue;
    for (const ControlStep method : {ControlStep::rk4, ControlStep::semi_implicit}) {
      ControlProblem problem = one_step(method);
      problem.lower.assign(motor_indices(model).size(), -1e9);
      problem.upper.assign(problem.lower.size(), 1e9);
      if (problem.lower.empty()) continue;
      OptimalControl control(model, problem);
      turning += model.nq() != model.nv() ? 1 : 0;
      const std::vector<double> q = random_position(model, generator), v = random_velocity(model, generator);
      std::vector<double> u(problem.lower.size());
      for (double& x : u) x = std::uniform_real_distribution(-1.0, 1.0)(generator);
      const int n = model.nv(), wide = 2 * n + static_cast<int>(u.size());
      const VectorXd x = VectorXd::Random(wide);
      const VectorXd want = change_of_end(control, model, q, v, u, x);
      control.start(q, v, u);
      control.iterate();
      for (int i = 0; i < n; ++i) {
        double position = 0.0, velocity = 0.0;
        for (int j = 0; j < wide; ++j) {
          position += control.position_rows(0)(i, j) * x[j];
          velocity += control.velocity_rows(0)(i, j) * x[j];
        }
        // Rounding of the motion over h, and h² of its third derivatives.
        const double tolerance = 1e-7 * (1.0 + want.cwiseAbs().maxCoeff());
        EXPECT_NEAR(position, want[i], tolerance) << graph.name << " " << i;
        EXPECT_NEAR(velocity, want[n + i], tolerance) << graph.name << " " << i;
      }
    }
  }
  EXPECT_GE(turning, 5);
}

/// A cart of 1 kg, whose steps are exactly linear.
ControlProblem cart_problem(int knots) {
  ControlProblem problem;
  problem.knots = knots;
  problem.step = 0.1;
  problem.compiled = false;
  problem.running.posture_weight = {3.0};
  problem.running.velocity_weight = {0.5};
  problem.running.torque_weight = {0.2};
  problem.terminal.posture_weight = {10.0};
  problem.terminal.velocity_weight = {1.0};
  problem.lower = {-1e9};
  problem.upper = {1e9};
  return problem;
}

TEST(OptimalControl, IsRiccatisRecursionForALinearSystem) {
  const Model model = build(test::slider(1.0));
  const ControlProblem problem = cart_problem(20);
  OptimalControl control(model, problem);
  control.start(std::vector<double>{1.0}, std::vector<double>{-0.3});
  const OptimalControl::Solution solution = control.solve(10);
  EXPECT_TRUE(solution.converged);
  EXPECT_LE(solution.iterations, 2);  // one step of Newton's method, and one that finds nothing to gain
  const double h = problem.step;
  const Eigen::Matrix2d A = (Eigen::Matrix2d() << 1, h, 0, 1).finished(),
                        Q = Eigen::Vector2d(3.0 * h, 0.5 * h).asDiagonal();
  const Eigen::Vector2d B(h * h / 2, h);
  Eigen::Matrix2d P = Eigen::Vector2d(10.0, 1.0).asDiagonal();
  for (int k = problem.knots - 1; k >= 0; --k) {
    const Eigen::RowVector2d K = (0.2 * h + B.dot(P * B)) > 0
                                     ? Eigen::RowVector2d((B.transpose() * P * A) / (0.2 * h + B.dot(P * B)))
                                     : Eigen::RowVector2d();
    EXPECT_NEAR(control.gains(k)(0, 0), -K[0], 1e-10);
    EXPECT_NEAR(control.gains(k)(0, 1), -K[1], 1e-10);
    P = Q + A.transpose() * P * (A - B * K);
  }
  const Eigen::Vector2d x(1.0, -0.3);
  EXPECT_NEAR(control.cost(), 0.5 * x.dot(P * x), 1e-10);
}

/// With limits: the conditions of the smallest, from the gradient by differences.
TEST(OptimalControl, KeepsLimitsAndIsStillTheSmallest) {
  const Model model = build(test::slider(1.0));
  ControlProblem problem = cart_problem(40);
  problem.lower = {-0.8};
  problem.upper = {0.5};
  OptimalControl control(model, problem);
  const std::vector<double> q{1.0}, v{0.4};
  control.start(q, v);
  EXPECT_TRUE(control.solve(50).converged);
  std::vector<double> u;
  for (int k = 0; k < problem.knots; ++k) u.push_back(control.torque(k)[0]);
  const double cost = control.cost();
  int at_limit = 0;
  for (std::size_t k = 0; k < u.size(); ++k) {
    EXPECT_GE(u[k], -0.8);
    EXPECT_LE(u[k], 0.5);
    constexpr double h = 1e-4;
    std::array<double, 2> costs{};
    for (std::size_t side = 0; side < 2; ++side) {
      ControlProblem wide = problem;  // so that differences may pass the limit
      wide.lower = {-9};
      wide.upper = {9};
      OptimalControl other(model, wide);
      std::vector<double> varied = u;
      varied[k] += side == 0 ? h : -h;
      other.start(q, v, varied);
      costs[side] = other.cost();
    }
    const double slope = (costs[0] - costs[1]) / (2 * h);
    // The cost is quadratic: the slope is exact but for rounding of the costs over h.
    const double rounding = 1e-15 * cost / h + 1e-7;
    if (u[k] == -0.8) {
      EXPECT_GE(slope, -rounding) << k;
      ++at_limit;
    } else if (u[k] == 0.5) {
      EXPECT_LE(slope, rounding) << k;
      ++at_limit;
    } else {
      EXPECT_NEAR(slope, 0.0, rounding) << k;
    }
  }
  EXPECT_GT(at_limit, 2);
  EXPECT_LT(at_limit, 38);
}

TEST(OptimalControl, ReachesAPoseWithABodyThatFloats) {
  const Model model = load("satellite_arm");
  ControlProblem problem;
  problem.knots = 60;
  problem.step = 0.05;
  problem.compiled = false;
  problem.running.torque_weight.assign(7, 1e-2);
  problem.lower.assign(7, -2.0);
  problem.upper.assign(7, 2.0);
  Kinematics<double> kinematics(model);
  std::vector<double> q = model.neutral(), goal = q;
  for (std::size_t k = 7; k < goal.size(); ++k) goal[k] += 0.2;
  kinematics.update_positions(goal);
  IkTarget tip = pose_target(model.tip(), kinematics.pose(model.tip()));
  for (Vec3<double>* weight : {&tip.position, &tip.orientation}) *weight = {1e4, 1e4, 1e4};
  problem.terminal.tips = {tip};
  problem.terminal.velocity_weight.assign(13, 1.0);
  OptimalControl control(model, problem);
  control.start(q, std::vector<double>(13));
  control.solve(200, 1e-6);
  kinematics.update_positions(control.q(control.knots()));
  const Pose<double> reached = kinematics.pose(model.tip());
  EXPECT_LT(norm(reached.p - tip.pose.p), 5e-3);
}

/// A cart pushed at random, its torque computed anew every step from what it then sees.
TEST(OptimalControl, ControlByPrediction) {
  const Model model = load("planar2r");
  ControlProblem problem;
  problem.knots = 25;
  problem.step = 0.02;
  problem.compiled = false;
  problem.running.posture = problem.terminal.posture = {std::numbers::pi / 2, 0.0};
  problem.running.posture_weight = {10.0, 10.0};
  problem.running.velocity_weight = {0.1, 0.1};
  problem.running.torque_weight = {1e-3, 1e-3};
  problem.terminal.posture_weight = {100.0, 100.0};
  problem.terminal.velocity_weight = {1.0, 1.0};
  problem.lower = {-60.0, -30.0};
  problem.upper = {60.0, 30.0};
  OptimalControl control(model, problem), plant(model, [&] {
    ControlProblem single = problem;
    single.knots = 1;
    return single;
  }());
  std::mt19937_64 generator(5);
  std::normal_distribution<double> push(0.0, 0.05);
  std::vector<double> q{0.5, 0.3}, v{0.0, 0.0};
  control.start(q, v);
  control.solve(20);
  for (int k = 0; k < 200; ++k) {
    const std::vector<double> u(control.torque(0).begin(), control.torque(0).end());
    for (std::size_t i = 0; i < 2; ++i) EXPECT_LE(std::abs(u[i]), problem.upper[i]);
    plant.start(q, v, u);
    q.assign(plant.q(1).begin(), plant.q(1).end());
    v.assign(plant.v(1).begin(), plant.v(1).end());
    for (double& x : v) x += push(generator);
    control.restart(q, v, 1);
    control.iterate();
  }
  EXPECT_NEAR(q[0], std::numbers::pi / 2, 0.05);
  EXPECT_NEAR(q[1], 0.0, 0.05);
}

/// A cart that has to go left and almost rests after its first step, so that dry friction still helps to turn it. The
/// slope asks for less torque at first; any less, and the cart is already on its way and friction in its way.
TEST(OptimalControl, StuckIsNotConverged) {
  Graph cart = test::slider(1.0);
  cart.joints[0].passive.coulomb = 1.0;
  cart.friction_speed = 1e-18;
  const Model model = build(cart);
  ControlProblem problem;
  problem.knots = 2;
  problem.step = 0.1;
  problem.method = ControlStep::semi_implicit;
  problem.compiled = false;
  problem.lower = {-1.5};
  problem.upper = {1.5};
  problem.terminal.posture = {-10.0};
  problem.terminal.posture_weight = {1e-3};
  OptimalControl control(model, problem);
  const std::vector<double> q{0.0}, v{0.2}, torques{-1.0 + 1e-14, -1.5};
  control.start(q, v, torques);
  const double cost = control.cost();
  EXPECT_EQ(control.iterate(), OptimalControl::Outcome::stuck);
  EXPECT_EQ(control.iterate(), OptimalControl::Outcome::stuck);
  EXPECT_FALSE(control.solve(10).converged);
  EXPECT_EQ(control.cost(), cost);
  control.start(q, v, std::vector<double>{-1.5, -1.5});  // the other side of the edge costs more indeed
  EXPECT_GT(control.cost(), cost);
}

TEST(OptimalControl, WrongInput) {
  const Model model = load("planar2r");
  const auto refused = [&](auto change) {
    ControlProblem problem;
    problem.compiled = false;
    change(problem);
    EXPECT_THROW(OptimalControl(model, problem), InputError);
  };
  refused([](ControlProblem& p) { p.knots = 0; });
  refused([](ControlProblem& p) { p.step = -1.0; });
  refused([](ControlProblem& p) { p.actuated = {2}; });
  refused([](ControlProblem& p) { p.actuated = {0, 0}; });
  refused([](ControlProblem& p) { p.lower = {1.0}; });
  refused([](ControlProblem& p) { p.lower = p.upper = {1.0, 1.0}; });
  refused([](ControlProblem& p) { p.running.posture_weight = {1.0}; });
  refused([](ControlProblem& p) { p.running.torque_weight = {1.0, -1.0}; });
  refused([](ControlProblem& p) { p.terminal.posture = {std::nan(""), 0.0}; });
  refused([](ControlProblem& p) { p.terminal.torque_weight = {1.0, 1.0}; });  // no torque acts at the end
  refused([&](ControlProblem& p) { p.keep_out = {{model.tip(), {0, std::nan(""), 0}, 0.1, 1.0}}; });
  refused([&](ControlProblem& p) { p.running.tips = {position_target(model.tip(), {0, std::nan(""), 0})}; });
  refused([&](ControlProblem& p) {
    p.terminal.tips = {pose_target(model.tip(), Pose<double>::identity())};
    p.terminal.tips[0].pose.R = std::nan("") * p.terminal.tips[0].pose.R;
  });
  const Model bars = load("four_bar");
  EXPECT_THROW(OptimalControl(bars, ControlProblem{}), InputError);
  OptimalControl control(model, one_step(ControlStep::rk4));
  EXPECT_THROW(control.start(std::vector<double>{std::nan(""), 0.0}, std::vector<double>(2)), InputError);
}

}  // namespace
}  // namespace ulna
