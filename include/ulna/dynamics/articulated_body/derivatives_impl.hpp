// The steps behind articulated_body/derivatives.hpp, for scalars that the library does not hold.
#pragma once

#include <algorithm>

#include "ulna/dynamics/articulated_body/derivatives.hpp"
#include "ulna/dynamics/composite_body/composite_body_impl.hpp"
#include "ulna/dynamics/newton_euler/derivatives_impl.hpp"
#include "ulna/real/rows.hpp"

namespace ulna::articulated_body {

template <Real T>
DerivativeWorkspace<T>::DerivativeWorkspace(const Model& model) : composite(model), inverse(model) {}

namespace derivatives_detail {

/// −A x for a symmetric A.
template <Real T>
ULNA_INLINE void put_minus_product(MatrixView<const T> A, std::span<const T> x, T* out) {
  const int n = A.rows;
  for_rows<T>(n, 0, n, [&](auto rows, int r) {
    auto sum = rows.same(T(0.0));
    for (int k = 0; k < n; ++k) sum -= rows.load(A.column(k) + r) * rows.same(x[static_cast<std::size_t>(k)]);
    rows.store(sum, out + r);
  });
}

/// X := −A X; x is room for a column.
template <Real T>
void times_minus(MatrixView<const T> A, MatrixView<T> X, std::span<T> x) {
  for (int c = 0; c < X.cols; ++c) {
    std::copy_n(X.column(c), x.size(), x.data());
    put_minus_product<T>(A, x, X.column(c));
  }
}

}  // namespace derivatives_detail

template <Real T>
void forward_derivatives(const Model& model, DerivativeWorkspace<T>& ws, VectorIn<T> q, VectorIn<T> v, VectorIn<T> tau,
                         VectorOut<T> a, MatrixOut<T> dq, MatrixOut<T> dv, MatrixOut<T> dtau) {
  expect_size("q", q.size(), model.nq());
  expect_size("v", v.size(), model.nv());
  expect_size("tau", tau.size(), model.nv());
  expect_size("a", a.size(), model.nv());
  newton_euler::derivatives_detail::begin<T>(model, {dq, dv, dtau});
  composite_body::Workspace<T>& composite = ws.composite;
  const MatrixView<T> M{composite.M.data(), model.nv(), model.nv()};
  const std::span<T> h(composite.h);
  composite.bias.poses.update(model, q);
  composite_body::detail::mass_matrix<T>(model, composite, M);
  composite_body::factor(model, M);
  composite_body::invert(model, M, dtau, h);
  newton_euler::detail::bias<T>(model, composite.bias, q, v, h, {});
  for (std::size_t k = 0; k < h.size(); ++k) h[k] -= tau[k];
  derivatives_detail::put_minus_product<T>(dtau, h, a.data());
  // M again, beside the derivatives: its place is free.
  newton_euler::derivatives_detail::inverse_derivatives<T>(model, composite.bias.poses, ws.inverse, v, a, {dq, dv, M});
  for (const MatrixView<T>& X : {dq, dv}) derivatives_detail::times_minus<T>(dtau, X, h);
}

}  // namespace ulna::articulated_body
