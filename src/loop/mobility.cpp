#include "ulna/loop/mobility.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "matrix_of.hpp"
#include "ulna/model/local_coordinates.hpp"

namespace ulna {

namespace {

/// Closes loops by Newton's method on local coordinates.
class Newton {
 public:
  Newton(const ClosedModel& model, std::span<const double> q, std::span<const int> held)
      : model_(model), equations_(model), q_(q.begin(), q.end()) {
    for (int k = 0; k < model.tree.nv(); ++k)
      if (std::find(held.begin(), held.end(), k) == held.end()) free_.push_back(k);
  }

  Assembly run() {
    const std::vector<double> start = q_;
    Assembly best = search();
    // a dead centre holds Newton's method up: no direction is better; one beside it may be
    std::mt19937_64 random(1);
    for (double size = 1e-3; !best.closed && size < 0.1; size *= 4.0) {
      Vector shake(static_cast<Eigen::Index>(free_.size()));
      for (double& x : shake) x = size * std::uniform_real_distribution<double>(-1.0, 1.0)(random);
      move(start, shake);
      Assembly other = search();
      if (other.closed || other.residual < best.residual) best = std::move(other);
    }
    return best;
  }

 private:
  Assembly search() {
    equations_.update(q_);
    int iteration = 0;
    for (; iteration < 100 && equations_.largest_residual() > closed_residual; ++iteration)
      if (!improve()) break;
    const double residual = equations_.largest_residual();
    const bool over = is_turned_over();
    return {q_, residual < 1e-9 && !over, residual, iteration,
            equations_.rows() > 0 ? equations_.worst_joint().name : ""};
  }

  double length() const {
    double sum = 0.0;
    for (const double r : equations_.residual()) sum += r * r;
    return std::sqrt(sum);
  }

  /// One step of least length, halved until the residual falls.
  bool improve() {
    if (free_.empty()) return false;
    const auto all = matrix_of(equations_);
    Matrix A(all.rows(), static_cast<Eigen::Index>(free_.size()));
    for (std::size_t k = 0; k < free_.size(); ++k) A.col(static_cast<Eigen::Index>(k)) = all.col(free_[k]);
    const Vector r = Eigen::Map<const Vector>(equations_.residual().data(), all.rows());
    Eigen::CompleteOrthogonalDecomposition<Matrix> solver(A);
    solver.setThreshold(rank_threshold);
    const Vector step = solver.solve(-r);
    const double before = length();
    const std::vector<double> start = q_;
    // turns beyond half a radian say nothing that the next step would not
    double share = std::min(1.0, 0.5 / std::max(step.cwiseAbs().maxCoeff(), 1e-300));
    for (int halving = 0; halving < 40; ++halving, share *= 0.5) {
      move(start, share * step);
      equations_.update(q_);
      if (length() < before) return true;
    }
    q_ = start;
    equations_.update(q_);
    return false;
  }

  void move(const std::vector<double>& start, const Vector& step) {
    std::vector<double> all(static_cast<std::size_t>(model_.tree.nv()), 0.0);
    for (std::size_t k = 0; k < free_.size(); ++k)
      all[static_cast<std::size_t>(free_[k])] = step[static_cast<Eigen::Index>(k)];
    step_along(model_.tree, start, all, q_);
  }

  /// The skew part of a rotation and the z axis' x and y vanish for half turns too.
  bool is_turned_over() const {
    Kinematics<double> kinematics(model_.tree);
    kinematics.update_positions(q_);
    for (const LoopJoint& joint : model_.loops) {
      if (joint.kind == LoopKind::spherical || joint.kind == LoopKind::universal) continue;
      const Mat3<double> R = transpose(kinematics.pose(joint.a).R) * kinematics.pose(joint.b).R;
      if (R.zz < 0.0) return true;
      const bool has_turn =
          joint.kind == LoopKind::revolute || joint.kind == LoopKind::screw || joint.kind == LoopKind::planar;
      if (!has_turn && R.xx + R.yy + R.zz < 1.0) return true;
    }
    return false;
  }

  const ClosedModel& model_;
  LoopEquations equations_;
  std::vector<double> q_;
  std::vector<int> free_;
};

}  // namespace

LoopMobility loop_mobility(const LoopEquations& equations, int degrees) {
  if (equations.rows() == 0) return {degrees, 0, 0};
  Eigen::ColPivHouseholderQR<Matrix> qr(matrix_of(equations));
  qr.setThreshold(rank_threshold);
  return {degrees, equations.rows(), static_cast<int>(qr.rank())};
}

double loop_condition(const LoopEquations& equations, int rank) {
  const Vector values = Eigen::JacobiSVD<Matrix>(matrix_of(equations)).singularValues();
  return rank == 0 ? 1.0 : values[0] / values[rank - 1];
}

std::vector<double> free_directions(const LoopEquations& equations) {
  const auto A = matrix_of(equations);
  Eigen::ColPivHouseholderQR<Matrix> qr(Matrix(A.transpose()));
  qr.setThreshold(rank_threshold);
  const Matrix Q = qr.householderQ();
  const Matrix free = Q.rightCols(A.cols() - qr.rank());
  return {free.data(), free.data() + free.size()};
}

Determination determination(const LoopEquations& equations, std::span<const int> driven) {
  const auto A = matrix_of(equations);
  std::vector<int> others;
  for (int k = 0; k < static_cast<int>(A.cols()); ++k)
    if (std::find(driven.begin(), driven.end(), k) == driven.end()) others.push_back(k);
  if (others.empty()) return {1.0, -1};
  const Matrix columns = A(Eigen::all, others);
  const Eigen::JacobiSVD<Matrix> svd(columns, Eigen::ComputeFullV);
  Eigen::Index strongest = 0;
  svd.matrixV().col(columns.cols() - 1).cwiseAbs().maxCoeff(&strongest);
  const int weakest = others[static_cast<std::size_t>(strongest)];
  const Vector& values = svd.singularValues();
  if (values.size() < columns.cols() || values[0] == 0.0) return {0.0, weakest};
  return {values[columns.cols() - 1] / values[0], weakest};
}

std::string Assembly::miss() const {
  if (residual < 1e-9) return fmt::format("'{}' closes only with its second frame turned over", worst_joint);
  return fmt::format("'{}' is off by {:.3g}", worst_joint, residual);
}

Assembly assemble(const ClosedModel& model, std::span<const double> q, std::span<const int> held) {
  return Newton(model, q, held).run();
}

std::vector<double> dependent_rates(const LoopEquations& equations, std::span<const int> independent,
                                    std::span<const double> values, std::span<const double> right_side) {
  const auto A = matrix_of(equations);
  const Eigen::Index n = A.cols(), given = static_cast<Eigen::Index>(independent.size());
  // A v = right side and the given values, in one system: unique exactly when it has full column rank
  Matrix all = Matrix::Zero(A.rows() + given, n);
  Vector right(A.rows() + given);
  all.topRows(A.rows()) = A;
  right.head(A.rows()) = Eigen::Map<const Vector>(right_side.data(), A.rows());
  for (Eigen::Index k = 0; k < given; ++k) {
    all(A.rows() + k, independent[static_cast<std::size_t>(k)]) = 1.0;
    right[A.rows() + k] = values[static_cast<std::size_t>(k)];
  }
  Eigen::ColPivHouseholderQR<Matrix> qr(all);
  qr.setThreshold(rank_threshold);
  if (qr.rank() < n) {
    throw InputError(
        fmt::format("{} given rates do not determine the others: {} degrees of freedom remain; give more, "
                    "or this is a singular position",
                    given, n - qr.rank()));
  }
  const Vector v = qr.solve(right);
  if (!((all * v - right).norm() <= 1e-9 * std::max(1.0, right.norm()))) {
    throw InputError(
        "the given rates contradict the loops: more are given than the mechanism has freedoms, or this is a "
        "singular position");
  }
  return {v.data(), v.data() + n};
}

std::vector<double> nearest_rates(const LoopEquations& equations, std::span<const double> values,
                                  std::span<const double> right_side) {
  const auto A = matrix_of(equations);
  const Eigen::Map<const Vector> given(values.data(), A.cols());
  Eigen::CompleteOrthogonalDecomposition<Matrix> solver(A);
  solver.setThreshold(rank_threshold);
  const Vector nearest = given + solver.solve(Eigen::Map<const Vector>(right_side.data(), A.rows()) - A * given);
  return {nearest.data(), nearest.data() + nearest.size()};
}

}  // namespace ulna
