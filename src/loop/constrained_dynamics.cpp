#include "ulna/loop/constrained_dynamics.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "schur_complement.hpp"
#include "ulna/loop/mobility.hpp"
#include "ulna/model/local_coordinates.hpp"
#include "ulna/real/lanes.hpp"

namespace ulna {

namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

Eigen::Map<const Vector> vector_of(std::span<const double> values) {
  return {values.data(), static_cast<Eigen::Index>(values.size())};
}
Eigen::Map<Vector> writable(std::span<double> values) {
  return {values.data(), static_cast<Eigen::Index>(values.size())};
}

PackDouble in_all_lanes(double x) { return PackDouble(x); }

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

struct ConstrainedDynamics::Dense {
  Dense(Eigen::Index m, Eigen::Index n) : schur(m, n), b(m), r(m), lambda(Vector::Zero(m)) {}

  SchurComplement schur;
  Vector b, r, lambda;
};

ConstrainedDynamics::ConstrainedDynamics(const ClosedModel& model)
    : model_(model),
      equations_(model),
      inverse_(make_method<double>("auto", Quantity::inverse_dynamics, model.tree)),
      inertia_(make_method<double>("auto", Quantity::mass_matrix, model.tree)),
      tree_(model.tree),
      q_(static_cast<std::size_t>(model.tree.nq())),
      v_(static_cast<std::size_t>(model.tree.nv())),
      tau_(v_),
      a_(v_),
      zero_(v_.size(), 0.0),
      work_(zero_),
      position_(static_cast<std::size_t>(model.tree.nq())),
      dense_(std::make_unique<Dense>(equations_.rows(), model.tree.nv())) {}

ConstrainedDynamics::~ConstrainedDynamics() = default;

void ConstrainedDynamics::take_matrix() {
  dense_->schur.A = Eigen::Map<const Matrix>(equations_.matrix().data, equations_.rows(), model_.tree.nv());
}

void ConstrainedDynamics::update(std::span<const double> q, std::span<const double> v, double pull) {
  equations_.update(q);
  equations_.update_bias(v);
  take_matrix();
  Dense& d = *dense_;
  d.b = vector_of(equations_.b());
  if (pull == 0.0) return;
  d.b.noalias() -= (2.0 * pull) * (d.schur.A * vector_of(v));
  d.b -= (pull * pull) * vector_of(equations_.residual());
}

/// a = M⁻¹ (τ − h), without the loops; leaves the factors of M behind.
void ConstrainedDynamics::solve_tree(std::span<const double> q, std::span<const double> v, std::span<const double> tau,
                                     std::span<double> a, Wrenches<double> external) {
  std::transform(q.begin(), q.end(), q_.begin(), in_all_lanes);
  std::transform(v.begin(), v.end(), v_.begin(), in_all_lanes);
  std::transform(tau.begin(), tau.end(), tau_.begin(), in_all_lanes);
  wrenches_.resize(external.size());
  for (std::size_t i = 0; i < external.size(); ++i)
    wrenches_[i] = {cast<PackDouble>(external[i].moment), cast<PackDouble>(external[i].force)};
  articulated_body::forward_dynamics<PackDouble>(model_.tree, tree_, q_, v_, tau_, a_, wrenches_);
  std::transform(a_.begin(), a_.end(), a.begin(), [](const PackDouble& x) { return x[0]; });
}

/// X = M⁻¹ Aᵀ: what the tree does under the joint forces Aᵀ e_i, as many at once as a pack has lanes.
void ConstrainedDynamics::respond() {
  constexpr int lanes = Lanes<PackDouble>::count;
  SchurComplement& schur = dense_->schur;
  const int m = equations_.rows(), n = model_.tree.nv();
  for (int first = 0; first < m; first += lanes) {
    const int last = std::min(first + lanes, m);
    for (int k = 0; k < n; ++k) {
      PackDouble force(0.0);
      for (int i = first; i < last; ++i) force.set(i - first, schur.A(i, k));
      tau_[static_cast<std::size_t>(k)] = force;
    }
    articulated_body::response<PackDouble>(model_.tree, tree_, tau_, a_);
    for (int i = first; i < last; ++i)
      for (int k = 0; k < n; ++k) schur.X(k, i) = a_[static_cast<std::size_t>(k)][i - first];
  }
  schur.factor();
}

void ConstrainedDynamics::forward_dynamics(std::span<const double> q, std::span<const double> v,
                                           std::span<const double> tau, std::span<double> a, Wrenches<double> external,
                                           double pull) {
  update(q, v, pull);
  solve_tree(q, v, tau, a, external);
  respond();
  Dense& d = *dense_;
  d.r = d.b;
  d.r.noalias() -= d.schur.A * vector_of(a);
  d.schur.solve(d.r, d.lambda);
  writable(a).noalias() += d.schur.X * d.lambda;
}

void ConstrainedDynamics::forward_dynamics_independent(std::span<const double> q, std::span<const double> v,
                                                       std::span<const double> tau, std::span<double> a,
                                                       Wrenches<double> external, double pull) {
  update(q, v, pull);
  Dense& d = *dense_;
  const int n = model_.tree.nv();
  Matrix M(n, n);
  inertia_->mass_matrix(q, {M.data(), n, n});
  inverse_->inverse_dynamics(q, v, zero_, work_, external);
  const Vector force = vector_of(tau) - vector_of(work_);
  const Matrix N = null_space(d.schur.A);
  Vector result = shortest_solution(d.schur.A, d.b);
  result += N * (N.transpose() * M * N).ldlt().solve(N.transpose() * (force - M * result));
  writable(a) = result;
  // what is left over of M a + h − τ is Aᵀλ
  d.lambda = shortest_solution(d.schur.A.transpose(), M * result - force);
}

void ConstrainedDynamics::inverse_dynamics(std::span<const double> q, std::span<const double> v,
                                           std::span<const double> a, std::span<const int> actuated,
                                           std::span<double> tau, Wrenches<double> external) {
  update(q, v, 0.0);
  Dense& d = *dense_;
  inverse_->inverse_dynamics(q, v, a, work_, external);
  const Vector wanted = vector_of(work_);
  const Matrix N = null_space(d.schur.A);
  Matrix B = Matrix::Zero(model_.tree.nv(), static_cast<Eigen::Index>(actuated.size()));
  for (std::size_t k = 0; k < actuated.size(); ++k) B(actuated[k], static_cast<Eigen::Index>(k)) = 1.0;
  // Nᵀ(M a + h) = Nᵀ B τ: only what the loops leave free needs torque
  const Vector torque = shortest_solution(N.transpose() * B, N.transpose() * wanted);
  const double miss = (N.transpose() * (B * torque - wanted)).norm();
  if (!(miss <= 1e-9 * std::max(1.0, wanted.norm()))) {
    throw InputError(fmt::format("the {} actuated joints cannot make this motion; {:.3g} of it remains undriven",
                                 actuated.size(), miss));
  }
  writable(tau) = B * torque;
  d.lambda = shortest_solution(d.schur.A.transpose(), wanted - B * torque);
}

void ConstrainedDynamics::prepare(std::span<const double> q) {
  take_matrix();
  solve_tree(q, zero_, zero_, work_, {});
  respond();
}

double ConstrainedDynamics::drift(std::span<const double> q, std::span<const double> v) {
  equations_.update(q);
  take_matrix();
  Dense& d = *dense_;
  d.r.noalias() = d.schur.A * vector_of(v);
  return std::max(equations_.largest_residual(), d.r.lpNorm<Eigen::Infinity>());
}

void ConstrainedDynamics::project_velocity(std::span<const double> q, std::span<double> v) {
  equations_.update(q);
  prepare(q);
  Dense& d = *dense_;
  d.r.noalias() = d.schur.A * vector_of(v);
  d.schur.solve(d.r, d.lambda);
  writable(v).noalias() -= d.schur.X * d.lambda;
}

bool ConstrainedDynamics::project(std::span<double> q, std::span<double> v) {
  constexpr int most_steps = 20;
  Dense& d = *dense_;
  equations_.update(q);
  for (int step = 0; equations_.largest_residual() > closed_residual; ++step) {
    if (step == most_steps || !std::isfinite(equations_.largest_residual())) return false;
    prepare(q);
    d.r = vector_of(equations_.residual());
    d.schur.solve(d.r, d.lambda);
    std::copy(q.begin(), q.end(), position_.begin());
    coordinates_of_reference(model_.tree, position_, work_);
    writable(work_).noalias() -= d.schur.X * d.lambda;
    retract<double>(model_.tree, position_, work_, q);
    tidy_quaternions(model_.tree, q);
    equations_.update(q);
  }
  project_velocity(q, v);
  return true;
}

std::span<const double> ConstrainedDynamics::lambda() {
  Dense& d = *dense_;
  if (d.schur.has_redundant_equations()) {
    const Vector force = d.schur.A.transpose() * d.lambda;
    d.lambda = shortest_solution(d.schur.A.transpose(), force);
  }
  return {d.lambda.data(), static_cast<std::size_t>(d.lambda.size())};
}

}  // namespace ulna
