#include "closed_mechanism.hpp"

#include <algorithm>

#include "ulna/base/error.hpp"
#include "ulna/loop/assembly.hpp"
#include "ulna/loop/mobility.hpp"
#include "ulna/loop/rates.hpp"
#include "ulna/model/local_coordinates.hpp"

namespace ulna::control {

namespace {

/// The joints that determine the others best: the columns that a pivoting elimination of the loop equations leaves.
std::vector<int> best_independent(const LoopEquations& equations) {
  const MatrixView<const double> A = equations.matrix();
  Eigen::ColPivHouseholderQR<Matrix> qr(Matrix(Eigen::Map<const Matrix>(A.data, A.rows, A.cols)));
  qr.setThreshold(rank_threshold);
  const auto& order = qr.colsPermutation().indices();
  std::vector<int> left(order.begin() + qr.rank(), order.end());
  std::ranges::sort(left);
  return left;
}

}  // namespace

ClosedMechanism::ClosedMechanism(const Model& model)
    : model_(model), tree_(model.tree()), equations_(model), dynamics_(model), inverse_(tree_) {}

void ClosedMechanism::update(std::span<const double> q, std::span<const double> v, std::span<const double> tau,
                             std::vector<int>& independent, const std::vector<int>& actuated) {
  q_.assign(q.begin(), q.end());
  tau_.assign(tau.begin(), tau.end());
  equations_.update(q);
  expect_closed(equations_, v);
  equations_.update_bias(v);
  if (independent.empty()) choose(independent, actuated);
  independent_ = independent;
  rates_.clear();
  for (const int k : independent) rates_.push_back(v[static_cast<std::size_t>(k)]);
  if (model_.has_general_joints() && std::ranges::any_of(v, [](double x) { return x != 0.0; }) &&
      std::ranges::any_of(model_.bodies(), [](const Body& body) { return has_quaternion(body.kind); }))
    throw InputError("a mechanism with closed loops and quaternions is linearised at rest only");
  N_ = Matrix(model_.nv(), size());
  for (Eigen::Index k = 0; k < size(); ++k) N_.col(k) = moved(Eigen::VectorXd::Unit(size(), k), zero_rows());
}

std::vector<double> ClosedMechanism::acceleration(std::span<const double> v) {
  std::vector<double> a(v.size());
  dynamics_.forward_dynamics(q_, v, tau_, a);
  return a;
}

Matrix ClosedMechanism::by_position() {
  constexpr double width = 0.01;  // rad or m: the seventh derivative counts by 1e-17, closing to 1e-12 by 1e-9
  Matrix result(size(), size());
  for (Eigen::Index k = 0; k < size(); ++k) {
    const auto slope = [&](double h) -> Eigen::VectorXd { return (at(k, h) - at(k, -h)) / (2.0 * h); };
    result.col(k) = (slope(width) - 20.0 * slope(0.5 * width) + 64.0 * slope(0.25 * width)) / 45.0;
  }
  return result;
}

std::pair<Matrix, Matrix> ClosedMechanism::by_velocity_and_torque(std::span<const double> v,
                                                                  std::span<const double> a) {
  const int n = model_.nv();
  Matrix dq(n, n), dv(n, n), M(n, n);
  newton_euler::inverse_derivatives<double>(tree_, inverse_, q_, v, a, dq, dv, M);
  const Matrix Nt = transposed(N_), mobility = inverse(product(Nt, M, N_));
  Matrix follows(n, size());  // accelerations that the loops ask for
  for (Eigen::Index k = 0; k < size(); ++k) {
    // b is quadratic in v: half of a difference over any step is its derivative.
    std::vector<double> there(v.begin(), v.end()), bias(static_cast<std::size_t>(equations_.rows()));
    for (const double side : {1.0, -1.0}) {
      for (std::size_t i = 0; i < there.size(); ++i) there[i] = v[i] + side * N_(static_cast<Eigen::Index>(i), k);
      equations_.update_bias(there);
      for (std::size_t i = 0; i < bias.size(); ++i) bias[i] += 0.5 * side * equations_.b()[i];
    }
    follows.col(k) = moved(Eigen::VectorXd::Zero(size()), bias);
  }
  return {-product(mobility, Nt, product(dv, N_) + product(M, follows)), product(mobility, Nt)};
}

std::vector<double> ClosedMechanism::torques_for(std::span<const double> v, std::span<const double> given,
                                                 const std::vector<int>& actuated) {
  std::vector<double> a(given.begin(), given.end()), torques(v.size());
  if (a.empty())
    a = dependent_rates(equations_, independent_, std::vector<double>(independent_.size()), equations_.b());
  dynamics_.inverse_dynamics(q_, v, a, actuated, torques);
  return torques;
}

void ClosedMechanism::choose(std::vector<int>& independent, const std::vector<int>& actuated) const {
  const int mobility = loop_mobility(equations_, model_.nv()).mobility();
  if (mobility == 0) throw InputError("the loops leave nothing that moves");
  const bool fit =
      static_cast<int>(actuated.size()) == mobility && determination(equations_, actuated).measure > singular_measure;
  independent = fit ? actuated : best_independent(equations_);
}

Eigen::VectorXd ClosedMechanism::moved(const Eigen::VectorXd& y, const std::vector<double>& right_side) const {
  const std::vector<double> x =
      dependent_rates(equations_, independent_, std::span(y.data(), static_cast<std::size_t>(y.size())), right_side);
  return Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
}

Eigen::VectorXd ClosedMechanism::at(Eigen::Index k, double h) {
  std::vector<double> step(static_cast<std::size_t>(model_.nv())), q(q_.size());
  for (std::size_t i = 0; i < step.size(); ++i) step[i] = h * N_(static_cast<Eigen::Index>(i), k);
  integrate(model_, q_, step, q);
  const Assembly closed = assemble(model_, q, independent_);
  if (!closed.closed) throw InputError("the loops do not close nearby: the position is all but singular");
  LoopEquations there(model_);
  there.update(closed.q);
  const std::vector<double> v = dependent_rates(there, independent_, rates_, zero_rows());
  std::vector<double> a(v.size());
  dynamics_.forward_dynamics(closed.q, v, tau_, a);
  Eigen::VectorXd y(size());
  for (Eigen::Index i = 0; i < size(); ++i)
    y[i] = a[static_cast<std::size_t>(independent_[static_cast<std::size_t>(i)])];
  return y;
}

}  // namespace ulna::control
