#include "ulna/loop/constrained_dynamics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "matrix_of.hpp"
#include "schur_complement.hpp"
#include "ulna/loop/assembly.hpp"
#include "ulna/loop/mobility.hpp"
#include "ulna/model/local_coordinates.hpp"

namespace ulna {

namespace {

Eigen::Map<const Vector> vector_of(std::span<const double> values) {
  return {values.data(), static_cast<Eigen::Index>(values.size())};
}
Eigen::Map<Vector> writable(std::span<double> values) {
  return {values.data(), static_cast<Eigen::Index>(values.size())};
}

/// A basis of what A v = 0 leaves free; no columns where the mechanism is rigid.
Matrix null_space(const Matrix& A) {
  Eigen::FullPivLU<Matrix> lu(A);
  lu.setThreshold(rank_threshold);
  return lu.dimensionOfKernel() == 0 ? Matrix(A.cols(), 0) : Matrix(lu.kernel());
}

Vector shortest_solution(const Matrix& A, const Vector& b) {
  Eigen::CompleteOrthogonalDecomposition<Matrix> decomposition(A);
  decomposition.setThreshold(rank_threshold);
  return decomposition.solve(b);
}

}  // namespace

ConstrainedDynamics::ConstrainedDynamics(const Model& model)
    : model_(model.tree()),
      equations_(model),
      inverse_(make_method<double>("auto", Quantity::inverse_dynamics, model_)),
      inertia_(make_method<double>("auto", Quantity::mass_matrix, model_)),
      tree_(make_tree_factor(model_)),
      schur_(std::make_unique<SchurComplement>(model)),
      b_(static_cast<std::size_t>(equations_.rows())),
      r_(b_),
      lambda_(b_),
      zero_(static_cast<std::size_t>(model.nv()), 0.0),
      force_(zero_),
      work_(zero_),
      step_(zero_) {}

ConstrainedDynamics::~ConstrainedDynamics() = default;

/// r = A x, over the joints that A has.
void ConstrainedDynamics::multiply(std::span<const double> x) {
  const MatrixView<const double> A = equations_.matrix();
  std::fill(r_.begin(), r_.end(), 0.0);
  for (int k = 0; k < A.cols; ++k)
    for (int i = 0; i < A.rows; ++i) r_[static_cast<std::size_t>(i)] += A(i, k) * x[static_cast<std::size_t>(k)];
}

void ConstrainedDynamics::update(std::span<const double> q, std::span<const double> v, double pull) {
  equations_.update(q);
  equations_.update_bias(v);
  std::copy(equations_.b().begin(), equations_.b().end(), b_.begin());
  if (pull == 0.0) return;
  multiply(v);
  for (std::size_t i = 0; i < b_.size(); ++i) b_[i] -= 2.0 * pull * r_[i] + pull * pull * equations_.residual()[i];
}

/// x += M⁻¹ Aᵀ λ with S λ = r: what the cut joints must do to change A x by r.
void ConstrainedDynamics::act(std::span<double> x) {
  schur_->solve(r_, lambda_);
  const MatrixView<const double> A = equations_.matrix();
  for (int k = 0; k < A.cols; ++k) {
    double sum = 0.0;
    for (int i = 0; i < A.rows; ++i) sum += A(i, k) * lambda_[static_cast<std::size_t>(i)];
    force_[static_cast<std::size_t>(k)] = sum;
  }
  tree_->response(force_, work_);
  for (std::size_t k = 0; k < x.size(); ++k) x[k] += work_[k];
}

void ConstrainedDynamics::forward_dynamics(LoopMethod method, VectorIn<double> q, VectorIn<double> v,
                                           VectorIn<double> tau, VectorOut<double> a, Wrenches<double> external,
                                           double pull) {
  if (method == LoopMethod::schur)
    forward_dynamics(q, v, tau, a, external, pull);
  else
    forward_dynamics_independent(q, v, tau, a, external, pull);
}

void ConstrainedDynamics::forward_dynamics(VectorIn<double> q, VectorIn<double> v, VectorIn<double> tau,
                                           VectorOut<double> a, Wrenches<double> external, double pull) {
  update(q, v, pull);
  tree_->forward_dynamics(q, v, tau, a, external);
  schur_->update(equations_, *tree_);
  multiply(a);
  for (std::size_t i = 0; i < r_.size(); ++i) r_[i] = b_[i] - r_[i];
  act(a);
}

void ConstrainedDynamics::respond(VectorIn<double> f, VectorIn<double> r, VectorOut<double> a) {
  expect_size("f", f.size(), model_.nv());
  expect_size("r", r.size(), equations_.rows());
  expect_size("a", a.size(), model_.nv());
  tree_->response(f, a);
  multiply(a);
  for (std::size_t i = 0; i < r_.size(); ++i) r_[i] = r[i] - r_[i];
  act(a);
}

void ConstrainedDynamics::forward_dynamics_independent(VectorIn<double> q, VectorIn<double> v, VectorIn<double> tau,
                                                       VectorOut<double> a, Wrenches<double> external, double pull) {
  update(q, v, pull);
  const int n = model_.nv();
  const Matrix A = matrix_of(equations_);
  Matrix M(n, n);
  inertia_->mass_matrix(q, {M.data(), n, n});
  inverse_->inverse_dynamics(q, v, zero_, work_, external);
  const Vector force = vector_of(tau) - vector_of(work_);
  const Matrix N = null_space(A);
  Vector result = shortest_solution(A, vector_of(b_));
  result += N * (N.transpose() * M * N).ldlt().solve(N.transpose() * (force - M * result));
  writable(a) = result;
  // what is left over of M a + h − τ is Aᵀλ
  writable(lambda_) = shortest_solution(A.transpose(), M * result - force);
}

void ConstrainedDynamics::inverse_dynamics(VectorIn<double> q, VectorIn<double> v, VectorIn<double> a,
                                           std::span<const int> actuated, VectorOut<double> tau,
                                           Wrenches<double> external) {
  if (actuated.empty()) throw InputError("no joint is actuated; name the joints that have a drive");
  for (const int k : actuated)
    if (k < 0 || k >= model_.nv()) throw InputError("an actuated joint is one that this robot lacks");
  update(q, v, 0.0);
  const Matrix A = matrix_of(equations_);
  inverse_->inverse_dynamics(q, v, a, work_, external);
  const Vector wanted = vector_of(work_);
  const Matrix N = null_space(A);
  Matrix B = Matrix::Zero(model_.nv(), static_cast<Eigen::Index>(actuated.size()));
  for (std::size_t k = 0; k < actuated.size(); ++k) B(actuated[k], static_cast<Eigen::Index>(k)) = 1.0;
  // Nᵀ(M a + h) = Nᵀ B τ: only what the loops leave free needs torque
  const Vector torque = shortest_solution(N.transpose() * B, N.transpose() * wanted);
  const double miss = (N.transpose() * (B * torque - wanted)).norm();
  if (!(miss <= 1e-9 * std::max(1.0, wanted.norm()))) {
    throw InputError(
        fmt::format("the {} actuated joints cannot make this motion, {:.3g} of it remains undriven; actuate others",
                    actuated.size(), miss));
  }
  writable(tau) = B * torque;
  writable(lambda_) = shortest_solution(A.transpose(), wanted - B * torque);
}

/// The Schur complement at a position, for the equations that are there already.
void ConstrainedDynamics::prepare(std::span<const double> q) {
  tree_->forward_dynamics(q, zero_, zero_, work_, {});
  schur_->update(equations_, *tree_);
}

double ConstrainedDynamics::drift(VectorIn<double> q, VectorIn<double> v) {
  equations_.update(q);
  multiply(v);
  double worst = equations_.largest_residual();
  for (const double r : r_) worst = std::max(worst, std::isfinite(r) ? std::abs(r) : HUGE_VAL);
  return worst;
}

void ConstrainedDynamics::project_velocity(VectorIn<double> q, VectorOut<double> v) {
  equations_.update(q);
  prepare(q);
  multiply(v);
  for (double& r : r_) r = -r;
  act(v);
}

bool ConstrainedDynamics::project(VectorOut<double> q, VectorOut<double> v) {
  equations_.update(q);
  double before = HUGE_VAL;
  // until the residual is where it should be, or as low as rounding of long lengths lets it be
  while (equations_.largest_residual() > closed_residual && equations_.largest_residual() < 0.5 * before) {
    before = equations_.largest_residual();
    prepare(q);
    for (std::size_t i = 0; i < r_.size(); ++i) r_[i] = -equations_.residual()[i];
    std::fill(step_.begin(), step_.end(), 0.0);
    act(step_);
    integrate(model_, q, step_, q);
    equations_.update(q);
  }
  if (!(equations_.largest_residual() < promised_residual)) return false;
  project_velocity(q, v);
  return true;
}

std::span<const double> ConstrainedDynamics::lambda() {
  if (schur_->has_redundant_equations()) {
    const Matrix transposed = matrix_of(equations_).transpose();
    writable(lambda_) = shortest_solution(transposed, transposed * vector_of(lambda_));
  }
  return lambda_;
}

}  // namespace ulna
