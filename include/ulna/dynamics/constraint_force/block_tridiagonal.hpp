// The serial solution of a symmetric block tridiagonal system: L D Lᵗ from the base outwards.
#pragma once

#include <vector>

#include "ulna/dynamics/block.hpp"

namespace ulna::constraint_force {

using dense::Block;
using dense::Vector;

/// Blocks of fewer unknowns than n are filled up with the unit matrix. Any way to call f(0) … f(count − 1) is accepted,
/// as parallel solvers take it; nothing here can be done at once.
template <Real T, int n>
class BlockTridiagonal {
 public:
  explicit BlockTridiagonal(std::size_t joints)
      : diagonal_(joints), coupling_(joints), solved_(joints), right_(joints) {}

  /// A_jj and A_{j−1,j} of joint j, as f(A, E) fills them in.
  template <class F>
  ULNA_INLINE void fill(std::size_t j, const F& f) {
    f(diagonal_[j], coupling_[j]);
  }
  template <class F>
  ULNA_INLINE void fill_right(std::size_t j, const F& f) {
    f(right_[j]);
  }
  const Vector<T, n>& right(std::size_t j) const { return right_[j]; }

  template <class Each>
  void factor(const Each&) {
    for (std::size_t j = 0; j < diagonal_.size(); ++j) {
      if (j > 0) {
        solved_[j] = coupling_[j];
        for (int c = 0; c < n; ++c) dense::solve(diagonal_[j - 1], &solved_[j](0, c));
        subtract_symmetric_product(diagonal_[j], coupling_[j], solved_[j]);
      }
      dense::factor(diagonal_[j]);
    }
  }

  /// The right-hand side becomes the solution.
  template <class Each>
  void solve(const Each&) {
    const std::size_t N = right_.size();
    for (std::size_t j = 1; j < N; ++j) subtract_transposed_times(right_[j], solved_[j], right_[j - 1]);
    for (std::size_t j = N; j-- > 0;) {
      dense::solve(diagonal_[j], right_[j].data());
      if (j + 1 < N) subtract_times(right_[j], solved_[j + 1], right_[j + 1]);
    }
  }

 private:
  std::vector<Block<T, n>> diagonal_;  // A_jj, then its factor
  std::vector<Block<T, n>> coupling_;  // A_{j−1,j}
  std::vector<Block<T, n>> solved_;    // A_{j−1,j−1}⁻¹ A_{j−1,j}
  std::vector<Vector<T, n>> right_;
};

}  // namespace ulna::constraint_force
