// The Schur complement S = A M⁻¹ Aᵀ of closed loops on a tree, and systems with it, redundant equations or not.
#pragma once

#include "tree_factor.hpp"
#include "ulna/loop/loop_equations.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

/// How many numbers apart rows of matrices with a column per equation are: whole packs.
std::size_t row_stride(const Model& model);

/// With M⁻¹ = Hᵀ D⁻¹ H, S = Uᵀ Y where U = H Aᵀ and Y = D⁻¹ U. An equation's column of U lives in the joints from
/// its loop down to the base.
class [[gnu::visibility("hidden")]] SchurComplement {
 public:
  explicit SchurComplement(const Model& model);

  /// At the position of the equations, at which the tree was factored too.
  void update(const LoopEquations& equations, TreeFactor& tree);
  /// With U and Y in their places already.
  void update(MatrixView<const double> A);
  /// U and Y: a row per velocity index and a column per equation, rows stride() apart.
  std::vector<double>& half() { return U_; }
  std::vector<double>& scaled_half() { return Y_; }
  std::size_t stride() const { return stride_; }

  /// x = Y λ; λ of stride() numbers, zeros at its end.
  void multiply_scaled_half(std::span<const double> lambda, std::span<double> x) const;

  /// λ with S λ = r. Redundant equations get none of it.
  void solve(std::span<const double> r, std::span<double> lambda);

  bool has_redundant_equations() const { return chosen_.size() < static_cast<std::size_t>(rows_); }

 private:
  struct Loop {
    int row, count;  // of its equations
    LoopPath path;
  };
  const double* row(const std::vector<double>& matrix, int i) const {
    return &matrix[static_cast<std::size_t>(i) * stride_];
  }
  double* row(std::vector<double> & matrix, int i) { return &matrix[static_cast<std::size_t>(i) * stride_]; }
  template <int count>
  void multiply(const Loop& loop);
  void multiply();
  void factor(MatrixView<const double> A);
  void eliminate(int k);
  bool is_redundant(MatrixView<const double> A, int k, double pivot, double whole);

  int rows_;
  std::size_t stride_;    // of all matrices here: whole packs
  double largest_ = 0.0;  // of the diagonal of S
  std::vector<Loop> loops_;
  std::vector<double> U_, Y_;  // a row per velocity index
  std::vector<double> S_;      // symmetric; becomes D Lᵀ with D⁻¹ on the diagonal
  std::vector<double> L_;      // below its diagonal, zeros elsewhere and in columns of redundant equations
  std::vector<int> chosen_;    // equations that say something of their own
  std::vector<double> weights_, diagonal_, x_, y_;
};

}  // namespace ulna
#pragma GCC visibility pop
