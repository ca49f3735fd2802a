// I = U D Uᵀ as matrices, by the reverse Gaussian elimination of saha2001, appendix B, and the explicit
// inverse that follows. For looking at: the O(n) forward dynamics never forms them.
#pragma once

#include "ulna/real/matrix_view.hpp"
#include "ulna/real/real.hpp"

namespace ulna::denoc {

/// U unit upper triangular, D the diagonal m̂_1 … m̂_n. Annihilates column k = n, …, 2 of I above
/// its pivot (eqs (19)–(24)); α_ik, the elements of U above the diagonal, are eq. (25).
template <Real T>
void reverse_gaussian_elimination(MatrixView<T> I, MatrixView<T> U, T* D) {
  const int n = I.rows;
  U.fill(T(0.0));
  for (int k = n - 1; k >= 0; --k) {
    D[k] = I(k, k);
    U(k, k) = T(1.0);
    for (int i = k - 1; i >= 0; --i) {
      U(i, k) = I(i, k) / D[k];
      for (int j = i; j >= 0; --j) {
        I(i, j) -= U(i, k) * I(k, j);
        I(j, i) = I(i, j);
      }
    }
  }
}

/// I⁻¹ = U⁻ᵀ D⁻¹ U⁻¹ from U and D.
template <Real T>
void inverse_inertia(MatrixView<T> U, const T* D, MatrixView<T> inverse) {
  const int n = U.rows;
  for (int c = 0; c < n; ++c) {
    for (int i = 0; i < n; ++i) inverse(i, c) = T(i == c ? 1.0 : 0.0);
    for (int i = n - 1; i >= 0; --i)  // U⁻¹
      for (int j = i + 1; j < n; ++j) inverse(i, c) -= U(i, j) * inverse(j, c);
    for (int i = 0; i < n; ++i) inverse(i, c) = inverse(i, c) / D[i];
    for (int i = 0; i < n; ++i)  // U⁻ᵀ
      for (int j = 0; j < i; ++j) inverse(i, c) -= U(j, i) * inverse(j, c);
  }
}

}  // namespace ulna::denoc
