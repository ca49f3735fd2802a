#include "ulna/loop/constrained_dynamics.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>

namespace ulna {

namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

// see loop/mobility.cpp; the Schur complement squares the condition of A
constexpr double rank_threshold = 1e-8;

Vector vector_of(std::span<const double> values) {
  return Eigen::Map<const Vector>(values.data(), static_cast<Eigen::Index>(values.size()));
}

}  // namespace

struct ConstrainedDynamics::Dense {
  Matrix A, M, M_inverse_At;
  Vector b, h;
};

ConstrainedDynamics::ConstrainedDynamics(const ClosedModel& model)
    : model_(model),
      equations_(model),
      forward_(make_method<double>("auto", Quantity::forward_dynamics, model.tree)),
      inverse_(make_method<double>("auto", Quantity::inverse_dynamics, model.tree)),
      inertia_(make_method<double>("auto", Quantity::mass_matrix, model.tree)),
      lambda_(static_cast<std::size_t>(equations_.rows())),
      zero_(static_cast<std::size_t>(model.tree.nv()), 0.0),
      work_(zero_),
      column_(zero_),
      dense_(std::make_unique<Dense>()) {}

ConstrainedDynamics::~ConstrainedDynamics() = default;

void ConstrainedDynamics::update(std::span<const double> q, std::span<const double> v) {
  equations_.update(q);
  equations_.update_bias(v);
  dense_->A = Eigen::Map<const Matrix>(equations_.matrix().data, equations_.rows(), model_.tree.nv());
  dense_->b = vector_of(equations_.b());
}

void ConstrainedDynamics::forward_dynamics(std::span<const double> q, std::span<const double> v,
                                           std::span<const double> tau, std::span<double> a,
                                           Wrenches<double> external) {
  update(q, v);
  const Matrix& A = dense_->A;
  forward_->forward_dynamics(q, v, tau, a, external);  // of the tree alone
  // M⁻¹ Aᵀ, column by column: what the tree does more under the joint forces Aᵀ e_i
  dense_->M_inverse_At.resize(A.cols(), A.rows());
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    for (std::size_t k = 0; k < work_.size(); ++k) work_[k] = tau[k] + A(i, static_cast<Eigen::Index>(k));
    forward_->forward_dynamics(q, v, work_, column_, external);
    for (std::size_t k = 0; k < work_.size(); ++k)
      dense_->M_inverse_At(static_cast<Eigen::Index>(k), i) = column_[k] - a[k];
  }
  Eigen::CompleteOrthogonalDecomposition<Matrix> schur(A * dense_->M_inverse_At);
  schur.setThreshold(rank_threshold);
  const Vector lambda = schur.solve(dense_->b - A * vector_of(a));
  const Vector more = dense_->M_inverse_At * lambda;
  for (std::size_t k = 0; k < a.size(); ++k) a[k] += more[static_cast<Eigen::Index>(k)];
  std::copy(lambda.data(), lambda.data() + lambda.size(), lambda_.begin());
}

void ConstrainedDynamics::forward_dynamics_independent(std::span<const double> q, std::span<const double> v,
                                                       std::span<const double> tau, std::span<double> a,
                                                       Wrenches<double> external) {
  update(q, v);
  const Eigen::Index n = model_.tree.nv();
  dense_->M.resize(n, n);
  inertia_->mass_matrix(q, {dense_->M.data(), model_.tree.nv(), model_.tree.nv()});
  inverse_->inverse_dynamics(q, v, zero_, work_, external);
  const Vector force = vector_of(tau) - vector_of(work_);
  Eigen::FullPivLU<Matrix> lu(dense_->A);
  lu.setThreshold(rank_threshold);
  const Matrix N = lu.kernel();
  const bool locked = lu.dimensionOfKernel() == 0;
  Eigen::CompleteOrthogonalDecomposition<Matrix> solver(dense_->A);
  solver.setThreshold(rank_threshold);
  Vector result = solver.solve(dense_->b);
  if (!locked) result += N * (N.transpose() * dense_->M * N).ldlt().solve(N.transpose() * (force - dense_->M * result));
  // what is left over of M a + h − τ is Aᵀλ
  Eigen::CompleteOrthogonalDecomposition<Matrix> transposed(Matrix(dense_->A.transpose()));
  transposed.setThreshold(rank_threshold);
  const Vector lambda = transposed.solve(dense_->M * result - force);
  std::copy(result.data(), result.data() + n, a.begin());
  std::copy(lambda.data(), lambda.data() + lambda.size(), lambda_.begin());
}

void ConstrainedDynamics::inverse_dynamics(std::span<const double> q, std::span<const double> v,
                                           std::span<const double> a, std::span<const int> actuated,
                                           std::span<double> tau, Wrenches<double> external) {
  update(q, v);
  inverse_->inverse_dynamics(q, v, a, work_, external);
  const Vector wanted = vector_of(work_);
  const Eigen::Index n = model_.tree.nv(), m = dense_->A.rows();
  Eigen::FullPivLU<Matrix> lu(dense_->A);
  lu.setThreshold(rank_threshold);
  const Matrix N = lu.kernel();
  Matrix B = Matrix::Zero(n, static_cast<Eigen::Index>(actuated.size()));
  for (std::size_t k = 0; k < actuated.size(); ++k) B(actuated[k], static_cast<Eigen::Index>(k)) = 1.0;
  // Nᵀ(M a + h) = Nᵀ B τ: only what the loops leave free needs torque
  Eigen::CompleteOrthogonalDecomposition<Matrix> drives(N.transpose() * B);
  drives.setThreshold(rank_threshold);
  const Vector torque = drives.solve(N.transpose() * wanted);
  const double miss = (N.transpose() * (B * torque - wanted)).norm();
  if (miss > 1e-9 * std::max(1.0, wanted.norm()))
    throw InputError(fmt::format("the {} actuated joints cannot make this motion; {:.3g} of it remains undriven",
                                 actuated.size(), miss));
  std::fill(tau.begin(), tau.end(), 0.0);
  for (std::size_t k = 0; k < actuated.size(); ++k)
    tau[static_cast<std::size_t>(actuated[k])] = torque[static_cast<Eigen::Index>(k)];
  Eigen::CompleteOrthogonalDecomposition<Matrix> transposed(Matrix(dense_->A.transpose()));
  transposed.setThreshold(rank_threshold);
  const Vector lambda = transposed.solve(wanted - B * torque);
  std::copy(lambda.data(), lambda.data() + m, lambda_.begin());
}

}  // namespace ulna
