// One iteration of optimal control: panda_like, 50 knots, derivatives, the way back and a motion, on one core; beside
// it the same iteration in plain Eigen, with the same dynamics and derivatives of one state at a time. Argument:
// repetitions (500).
#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>

#include "ulna/ulna.hpp"

namespace {

using ulna::ControlProblem;
using ulna::ControlStep;
using ulna::Model;
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

constexpr int joints = 7;
constexpr int before = 5;  // iterations, so that the one that is measured needs one motion
const std::vector<double> first{0, -0.3, 0, -1.8, 0, 1.6, 0.8}, goal{0.4, 0.1, 0.2, -1.4, 0.1, 1.9, 0.4}, still(joints);

ControlProblem problem_of(ControlStep method) {
  ControlProblem problem;
  problem.method = method;
  problem.running.torque_weight.assign(joints, 1e-3);
  problem.running.velocity_weight.assign(joints, 0.1);
  problem.terminal.posture = goal;
  problem.terminal.posture_weight.assign(joints, 100.0);
  problem.terminal.velocity_weight.assign(joints, 1.0);
  return problem;
}

/// Microseconds: the least and the median.
std::pair<double, double> measure(int repetitions, const std::function<void()>& prepare,
                                  const std::function<void()>& work) {
  std::vector<double> times;
  for (int k = 0; k < repetitions; ++k) {
    prepare();
    const auto begin = std::chrono::steady_clock::now();
    work();
    times.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count());
  }
  std::ranges::sort(times);
  return {times.front(), times[times.size() / 2]};
}

/// The same problem, method and cost as one writes it down with Eigen: Runge–Kutta steps, their derivatives by the
/// chain rule with whole matrices, Riccati's way back, one motion. Torques are not limited.
class PlainIteration {
 public:
  explicit PlainIteration(const Model& model)
      : model_(model),
        method_(ulna::make_method<double>("auto", ulna::Quantity::forward_dynamics, model)),
        workspace_(model),
        problem_(problem_of(ControlStep::rk4)) {}

  void start() {
    const std::vector<double> held = ulna::Lineariser(model_).torques(first, still);
    u_.assign(static_cast<std::size_t>(problem_.knots), Eigen::Map<const Vector>(held.data(), joints));
    x_.assign(u_.size() + 1, Vector(2 * joints));
    x_[0] << Eigen::Map<const Vector>(first.data(), joints), Vector::Zero(joints);
    for (std::size_t k = 0; k < u_.size(); ++k) x_[k + 1] = advanced(x_[k], u_[k]);
  }
  double iterate() {
    const double h = problem_.step;
    Vector weights = Vector::Constant(2 * joints, 1.0);
    weights.head(joints).setConstant(100.0);
    Vector target = Vector::Zero(2 * joints);
    target.head(joints) = Eigen::Map<const Vector>(goal.data(), joints);
    Matrix V = weights.asDiagonal();
    Vector Vx = weights.cwiseProduct(x_.back() - target);
    std::vector<Matrix> K(u_.size());
    std::vector<Vector> step(u_.size());
    for (std::size_t k = u_.size(); k-- > 0;) {
      const auto [A, B] = derivative(x_[k], u_[k]);
      Vector running = Vector::Zero(2 * joints);
      running.tail(joints).setConstant(0.1 * h);
      const Vector Qx = running.cwiseProduct(x_[k]) + A.transpose() * Vx, Qu = 1e-3 * h * u_[k] + B.transpose() * Vx;
      const Matrix Qxx = Matrix(running.asDiagonal()) + A.transpose() * V * A;
      const Matrix Quu = 1e-3 * h * Matrix::Identity(joints, joints) + B.transpose() * V * B,
                   Qux = B.transpose() * V * A;
      const Eigen::LLT<Matrix> solver(Quu);
      K[k] = -solver.solve(Qux);
      step[k] = -solver.solve(Qu);
      Vx = Qx + Qux.transpose() * step[k];
      V = Qxx + Qux.transpose() * K[k];
      V = (0.5 * (V + V.transpose())).eval();
    }
    Vector x = x_[0];
    for (std::size_t k = 0; k < u_.size(); ++k) {
      const Vector u = u_[k] + step[k] + K[k] * (x - x_[k]);
      x_[k] = x;
      u_[k] = u;
      x = advanced(x, u);
    }
    x_.back() = x;
    return x.norm();
  }

 private:
  Vector rate(const Vector& x, const Vector& u) {
    Vector dx(2 * joints);
    dx.head(joints) = x.tail(joints);
    const Vector q = x.head(joints), v = x.tail(joints);
    Vector a(joints);
    method_->forward_dynamics(q, v, u, a);
    dx.tail(joints) = a;
    return dx;
  }
  Vector advanced(const Vector& x, const Vector& u) {
    const double h = problem_.step;
    const Vector k1 = rate(x, u), k2 = rate(x + 0.5 * h * k1, u), k3 = rate(x + 0.5 * h * k2, u),
                 k4 = rate(x + h * k3, u);
    return x + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
  }
  std::pair<Matrix, Matrix> derivative(const Vector& x, const Vector& u) {
    const double h = problem_.step, places[] = {0.0, 0.5 * h, 0.5 * h, h}, shares[] = {h / 6, h / 3, h / 3, h / 6};
    const Matrix I = Matrix::Identity(2 * joints, 2 * joints);
    Matrix A = I, B = Matrix::Zero(2 * joints, joints), Kx = Matrix::Zero(2 * joints, 2 * joints), Ku = B;
    Vector k = Vector::Zero(2 * joints);
    for (int s = 0; s < 4; ++s) {
      const Vector at = x + places[s] * k, q = at.head(joints), v = at.tail(joints);
      Matrix dq(joints, joints), dv(joints, joints), dtau(joints, joints);
      Vector a(joints);
      ulna::articulated_body::forward_derivatives(model_, workspace_, q, v, u, a, dq, dv, dtau);
      k << v, a;
      Matrix Fx = Matrix::Zero(2 * joints, 2 * joints), Fu = Matrix::Zero(2 * joints, joints);
      Fx.topRightCorner(joints, joints).setIdentity();
      Fx.bottomLeftCorner(joints, joints) = dq;
      Fx.bottomRightCorner(joints, joints) = dv;
      Fu.bottomRows(joints) = dtau;
      Ku = (places[s] * Fx * Ku + Fu).eval();
      Kx = (Fx * (I + places[s] * Kx)).eval();
      A += shares[s] * Kx;
      B += shares[s] * Ku;
    }
    return {A, B};
  }

  const Model& model_;
  std::unique_ptr<ulna::Method<double>> method_;
  ulna::articulated_body::DerivativeWorkspace<double> workspace_;
  ControlProblem problem_;
  std::vector<Vector> x_, u_;
};

}  // namespace

int main(int argc, char** argv) {
  const int repetitions = argc > 1 ? std::atoi(argv[1]) : 500;
  const Model model = ulna::load("panda_like");
  fmt::print("one iteration, panda_like, 50 knots; microseconds on one core, the least and the median of {}\n",
             repetitions);
  for (const bool compiled : {true, false})
    for (const ControlStep method : {ControlStep::rk4, ControlStep::semi_implicit}) {
      ControlProblem problem = problem_of(method);
      problem.compiled = compiled;
      ulna::OptimalControl control(model, problem);
      const auto [least, median] = measure(
          repetitions,
          [&] {
            control.start(first, still);
            control.solve(before);
          },
          [&] { control.iterate(); });
      fmt::print("{:<14}{:<10}{:8.0f}{:8.0f}\n", method == ControlStep::rk4 ? "rk4" : "semi_implicit",
                 compiled ? "compiled" : "generic", least, median);
    }
  PlainIteration plain(model);
  const auto [least, median] = measure(
      repetitions,
      [&] {
        plain.start();
        for (int k = 0; k < before; ++k) plain.iterate();
      },
      [&] { plain.iterate(); });
  fmt::print("{:<14}{:<10}{:8.0f}{:8.0f}\n", "rk4", "Eigen", least, median);
  return 0;
}
