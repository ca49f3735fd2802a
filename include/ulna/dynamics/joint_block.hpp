// The small symmetric block D = Sᵀ I S of one joint and systems with it: 1×1 to 6×6.
#pragma once

#include <array>

#include "ulna/real/real.hpp"

namespace ulna {

/// D factored as L diag(d) Lᵀ, without pivoting: D is positive definite for a physical robot.
template <Real T, std::size_t n>
class JointBlock {
 public:
  /// The lower triangle, to be filled before factor().
  ULNA_INLINE T& operator()(std::size_t r, std::size_t c) { return m_[r * (r + 1) / 2 + c]; }
  ULNA_INLINE const T& operator()(std::size_t r, std::size_t c) const { return m_[r * (r + 1) / 2 + c]; }

  ULNA_INLINE void factor() {
    JointBlock& D = *this;
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t k = 0; k < j; ++k) D(j, j) -= D(j, k) * D(j, k) * d_[k];
      d_[j] = D(j, j);
      inverse_[j] = T(1.0) / d_[j];
      for (std::size_t i = j + 1; i < n; ++i) {
        for (std::size_t k = 0; k < j && k < n; ++k) D(i, j) -= D(i, k) * D(j, k) * d_[k];  // g++ 12 misreads n = 2
        D(i, j) *= inverse_[j];
      }
    }
  }

  /// What solve() needs, in n (n + 1) / 2 numbers.
  ULNA_INLINE void store(T* out) const {
    for (std::size_t r = 0; r < n; ++r) {
      for (std::size_t c = 0; c < r; ++c) *out++ = (*this)(r, c);
      *out++ = inverse_[r];
    }
  }
  ULNA_INLINE static JointBlock load(const T* in) {
    JointBlock D;
    for (std::size_t r = 0; r < n; ++r) {
      for (std::size_t c = 0; c < r; ++c) D(r, c) = *in++;
      D.inverse_[r] = *in++;
    }
    return D;
  }

  /// b := D⁻¹ b for any n things that can be scaled and subtracted: numbers, forces.
  template <class X>
  ULNA_INLINE void solve(std::array<X, n>& b) const {
    const JointBlock& L = *this;
    for (std::size_t i = 1; i < n; ++i)
      for (std::size_t k = 0; k < i; ++k) b[i] -= L(i, k) * b[k];
    for (std::size_t i = 0; i < n; ++i) b[i] = inverse_[i] * b[i];
    for (std::size_t i = n; i-- > 0;)
      for (std::size_t k = i + 1; k < n; ++k) b[i] -= L(k, i) * b[k];
  }

 private:
  std::array<T, n*(n + 1) / 2> m_;
  std::array<T, n> d_, inverse_;
};

}  // namespace ulna
