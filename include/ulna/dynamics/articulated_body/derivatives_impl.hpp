// The steps behind articulated_body/derivatives.hpp, for scalars that the library does not hold.
#pragma once

#include <algorithm>
#include <array>

#include "ulna/dynamics/articulated_body/derivatives.hpp"
#include "ulna/dynamics/composite_body/composite_body_impl.hpp"
#include "ulna/dynamics/newton_euler/derivatives_impl.hpp"
#include "ulna/dynamics/newton_euler/newton_euler_impl.hpp"

namespace ulna::articulated_body {

template <Real T>
DerivativeWorkspace<T>::DerivativeWorkspace(const Model& model)
    : composite(model), inverse(model), M(composite.M.size()) {}

namespace derivatives_detail {

/// Entries r … r + count − 1 of −A x for a symmetric A: sums side by side, so that none waits for another.
template <int count, Real T>
ULNA_INLINE void put_products(MatrixView<const T> A, std::span<const T> x, int r, T* out) {
  std::array<T, count> sums;
  sums.fill(T(0.0));
  for (std::size_t k = 0; k < x.size(); ++k)
    for (int s = 0; s < count; ++s) sums[static_cast<std::size_t>(s)] -= A.column(r + s)[k] * x[k];
  std::copy(sums.begin(), sums.end(), out + r);
}

/// X := −A X for a symmetric A; x is room for a column.
template <Real T>
void times_minus(MatrixView<const T> A, MatrixView<T> X, std::span<T> x) {
  for (int c = 0; c < X.cols; ++c) {
    T* column = X.column(c);
    std::copy_n(column, x.size(), x.data());
    int r = 0;
    for (; r + 4 <= A.cols; r += 4) put_products<4, T>(A, x, r, column);
    for (; r < A.cols; ++r) put_products<1, T>(A, x, r, column);
  }
}

}  // namespace derivatives_detail

template <Real T>
void forward_derivatives(const Model& model, DerivativeWorkspace<T>& ws, VectorIn<T> q, VectorIn<T> v, VectorIn<T> tau,
                         VectorOut<T> a, MatrixOut<T> dq, MatrixOut<T> dv, MatrixOut<T> dtau) {
  newton_euler::derivatives_detail::begin<T>(model, {dq, dv, dtau});
  composite_body::forward_dynamics(model, ws.composite, q, v, tau, a);  // leaves poses and M's factor
  const MatrixView<T> factored{ws.composite.M.data(), model.nv(), model.nv()};
  newton_euler::derivatives_detail::inverse_derivatives<T>(model, ws.composite.bias.poses, ws.inverse, v, a,
                                                           {dq, dv, {ws.M.data(), model.nv(), model.nv()}});
  composite_body::invert(model, factored, dtau);
  for (const MatrixView<T>& X : {dq, dv})
    derivatives_detail::times_minus(MatrixView<const T>(dtau), X, std::span<T>(ws.composite.h));
}

}  // namespace ulna::articulated_body
