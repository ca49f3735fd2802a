// The Schur complement S = A X, X = M⁻¹ Aᵀ, and systems with it, redundant equations or not.
#pragma once

#include <Eigen/Dense>

#include "ulna/loop/mobility.hpp"

namespace ulna {

class SchurComplement {
 public:
  using Matrix = Eigen::MatrixXd;
  using Vector = Eigen::VectorXd;

  SchurComplement(Eigen::Index equations, Eigen::Index degrees) : A(equations, degrees), X(degrees, equations) {}

  Matrix A, X;  // to be filled before factor()

  void factor() {
    S_.noalias() = A * X;
    llt_.compute(S_);
    full_ = llt_.info() == Eigen::Success && smallest_pivot() > clearly_independent;
    if (!full_) choose_rows();
  }

  /// λ with S λ = r. Redundant equations get none of it.
  void solve(const Vector& r, Vector& lambda) {
    if (full_) {
      lambda = r;
      llt_.solveInPlace(lambda);
      return;
    }
    lambda.setZero(A.rows());
    if (rows_.size() == 0) return;
    const Vector chosen = llt_.solve(r(rows_));
    lambda(rows_) = chosen;
  }

  bool has_redundant_equations() const { return !full_; }

 private:
  /// Above this share of itself that the equations before leave of one, there is no question of rank.
  static constexpr double clearly_independent = 1e-6;

  double smallest_pivot() const {
    double smallest = 1.0;
    for (Eigen::Index i = 0; i < S_.rows(); ++i) {
      const double pivot = llt_.matrixLLT()(i, i);
      smallest = std::min(smallest, pivot * pivot / S_(i, i));
    }
    return smallest;
  }

  /// The rank is A's own affair: S has the square of its condition. Any largest set of independent
  /// equations gives the same motion.
  void choose_rows() {
    Eigen::ColPivHouseholderQR<Matrix> qr(Matrix(A.transpose()));
    qr.setThreshold(rank_threshold);
    rows_ = qr.colsPermutation().indices().head(qr.rank());
    llt_.compute(S_(rows_, rows_));
  }

  Matrix S_;
  Eigen::LLT<Matrix> llt_;
  Eigen::VectorXi rows_;
  bool full_ = true;
};

}  // namespace ulna
