// Small dense blocks: n×n with n = 5 or 6, of block systems along a chain.
#pragma once

#include <array>

#include "ulna/real/real.hpp"

namespace ulna::dense {

template <class T, int n>
struct Block {
  std::array<T, static_cast<std::size_t>(n) * n> m;

  ULNA_INLINE T& operator()(int i, int j) { return m[static_cast<std::size_t>(j * n + i)]; }
  ULNA_INLINE const T& operator()(int i, int j) const { return m[static_cast<std::size_t>(j * n + i)]; }

  static ULNA_INLINE Block zero() {
    Block b;
    b.m.fill(T(0.0));
    return b;
  }
};

template <class T, int n>
using Vector = std::array<T, static_cast<std::size_t>(n)>;

template <Real T, int n>
ULNA_INLINE Block<T, n> transposed(const Block<T, n>& A) {
  Block<T, n> t;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) t(i, j) = A(j, i);
  return t;
}

/// A = L D Lᵗ in place: L below the diagonal, 1/D on it.
template <Real T, int n>
ULNA_INLINE void factor(Block<T, n>& A) {
  Vector<T, n> d, ld;
  for (int j = 0; j < n; ++j) {
    T pivot = A(j, j);
    for (int k = 0; k < j; ++k) {
      ld[static_cast<std::size_t>(k)] = A(j, k) * d[static_cast<std::size_t>(k)];
      pivot -= A(j, k) * ld[static_cast<std::size_t>(k)];
    }
    d[static_cast<std::size_t>(j)] = pivot;
    const T inverse = T(1.0) / pivot;
    for (int i = j + 1; i < n; ++i) {
      T l = A(i, j);
      for (int k = 0; k < j; ++k) l -= A(i, k) * ld[static_cast<std::size_t>(k)];
      A(i, j) = l * inverse;
    }
    A(j, j) = inverse;
  }
}

/// x := A⁻¹ x with the factor.
template <Real T, int n>
ULNA_INLINE void solve(const Block<T, n>& A, T* x) {
  for (int i = 1; i < n; ++i)
    for (int k = 0; k < i; ++k) x[i] -= A(i, k) * x[k];
  for (int i = 0; i < n; ++i) x[i] *= A(i, i);
  for (int i = n - 2; i >= 0; --i)
    for (int k = i + 1; k < n; ++k) x[i] -= A(k, i) * x[k];
}

/// A −= Bᵗ C, where the product is symmetric.
template <Real T, int n>
ULNA_INLINE void subtract_symmetric_product(Block<T, n>& A, const Block<T, n>& B, const Block<T, n>& C) {
  for (int j = 0; j < n; ++j) {
    for (int i = j; i < n; ++i) {
      T sum = A(i, j);
      for (int k = 0; k < n; ++k) sum -= B(k, i) * C(k, j);
      A(i, j) = A(j, i) = sum;
    }
  }
}

/// −Bᵗ C
template <Real T, int n>
ULNA_INLINE Block<T, n> minus_product(const Block<T, n>& B, const Block<T, n>& C) {
  Block<T, n> A;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      T sum(0.0);
      for (int k = 0; k < n; ++k) sum -= B(k, i) * C(k, j);
      A(i, j) = sum;
    }
  }
  return A;
}

/// x −= Bᵗ y
template <Real T, int n>
ULNA_INLINE void subtract_transposed_times(Vector<T, n>& x, const Block<T, n>& B, const Vector<T, n>& y) {
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k) x[static_cast<std::size_t>(i)] -= B(k, i) * y[static_cast<std::size_t>(k)];
}

/// x −= B y
template <Real T, int n>
ULNA_INLINE void subtract_times(Vector<T, n>& x, const Block<T, n>& B, const Vector<T, n>& y) {
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < n; ++i) x[static_cast<std::size_t>(i)] -= B(i, k) * y[static_cast<std::size_t>(k)];
}

}  // namespace ulna::dense
