// The Schur complement S = A M⁻¹ Aᵀ of closed loops on a tree, and systems with it, redundant equations or not.
#pragma once

#include "tree_factor.hpp"
#include "ulna/loop/loop_equations.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

/// With M⁻¹ = Hᵀ D⁻¹ H, S = Uᵀ Y where U = H Aᵀ and Y = D⁻¹ U. An equation's column of U lives in the joints from
/// its loop down to the base.
class [[gnu::visibility("hidden")]] SchurComplement {
 public:
  explicit SchurComplement(const Model& model);

  /// At the position of the equations, at which the tree was factored too.
  void update(const LoopEquations& equations, TreeFactor& tree);

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
  void multiply();
  void factor(const LoopEquations& equations);
  void eliminate(int k);
  bool is_redundant(const LoopEquations& equations, int k, double pivot, double whole);

  int rows_;
  std::size_t stride_;    // of all matrices here: whole packs
  double largest_ = 0.0;  // of the diagonal of S
  std::vector<Loop> loops_;
  std::vector<double> U_, Y_;  // a row per velocity index
  std::vector<double> S_;      // symmetric; becomes D Lᵀ with D⁻¹ on the diagonal
  std::vector<int> chosen_;    // equations that say something of their own
  std::vector<double> weights_, diagonal_, x_, y_;
};

}  // namespace ulna
#pragma GCC visibility pop
