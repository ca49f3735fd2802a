#include "integrate/newton_solver.hpp"

#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace ulna {

namespace {

/// Gaussian elimination with row pivots, column by column as they lie in memory; U's diagonal is kept inverted.
class LeadingBlock {
 public:
  explicit LeadingBlock(std::size_t order) : order_(order), pivots_(order) {}

  /// In place. False: singular.
  bool factor(double* A, std::size_t stride) {
    A_ = A;
    stride_ = stride;
    for (std::size_t k = 0; k < order_; ++k) {
      double* a = column(k);
      const std::size_t p = pivots_[k] = largest_from(a, k);
      if (!(std::fabs(a[p]) > 0.0)) return false;
      for (std::size_t j = 0; p != k && j < order_; ++j) std::swap(column(j)[k], column(j)[p]);
      a[k] = 1.0 / a[k];
      for (std::size_t i = k + 1; i < order_; ++i) a[i] *= a[k];
      for (std::size_t j = k + 1; j < order_; ++j) subtract(column(j)[k], a, column(j), k + 1, order_);
    }
    return true;
  }

  /// The leading components of x, and then the others, which are what the rows below leave of them.
  void solve(double* x, std::size_t size) const {
    for (std::size_t k = 0; k < order_; ++k) std::swap(x[k], x[pivots_[k]]);
    for (std::size_t k = 0; k < order_; ++k) subtract(x[k], column(k), x, k + 1, order_);
    for (std::size_t k = order_; k-- > 0;) {
      x[k] *= column(k)[k];
      subtract(x[k], column(k), x, 0, k);
    }
    for (std::size_t k = 0; k < order_; ++k) subtract(x[k], column(k), x, order_, size);
  }

 private:
  double* column(std::size_t k) const { return A_ + k * stride_; }
  std::size_t largest_from(const double* a, std::size_t k) const {
    for (std::size_t i = k, best = k;; ++i) {
      if (i == order_) return best;
      if (std::fabs(a[i]) > std::fabs(a[best])) best = i;
    }
  }
  static void subtract(double factor, const double* from, double* to, std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i) to[i] -= factor * from[i];
  }

  std::size_t order_, stride_ = 0;
  double* A_ = nullptr;
  std::vector<std::size_t> pivots_;
};

LeadingBlock& block_of(SUNLinearSolver solver) { return *static_cast<LeadingBlock*>(solver->content); }

int setup(SUNLinearSolver solver, SUNMatrix A) {
  constexpr int singular = 1;  // CVODE tries a smaller step
  const auto stride = static_cast<std::size_t>(SUNDenseMatrix_Rows(A));
  return block_of(solver).factor(SUNDenseMatrix_Data(A), stride) ? 0 : singular;
}

int solve(SUNLinearSolver solver, SUNMatrix /*A*/, N_Vector x, N_Vector b, double /*tolerance*/) {
  const auto size = static_cast<std::size_t>(N_VGetLength(x));
  double* const out = N_VGetArrayPointer(x);
  std::copy_n(N_VGetArrayPointer(b), size, out);
  block_of(solver).solve(out, size);
  return 0;
}

int destroy(SUNLinearSolver solver) {
  delete static_cast<LeadingBlock*>(solver->content);
  solver->content = nullptr;
  SUNLinSolFreeEmpty(solver);
  return 0;
}

}  // namespace

SUNLinearSolver newton_solver(std::size_t controlled, SUNContext context) {
  SUNLinearSolver solver = SUNLinSolNewEmpty(context);
  if (solver == nullptr) return nullptr;
  solver->content = new LeadingBlock(controlled);
  solver->ops->gettype = [](SUNLinearSolver) { return SUNLINEARSOLVER_DIRECT; };
  solver->ops->setup = setup;
  solver->ops->solve = solve;
  solver->ops->free = destroy;
  return solver;
}

}  // namespace ulna
