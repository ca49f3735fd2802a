// The steps behind articulated_body/derivatives.hpp, for scalars that the library does not hold.
#pragma once

#include "ulna/dynamics/articulated_body/derivatives.hpp"
#include "ulna/dynamics/composite_body/composite_body_impl.hpp"
#include "ulna/dynamics/newton_euler/derivatives_impl.hpp"
#include "ulna/real/rows.hpp"

namespace ulna::articulated_body {

template <Real T>
DerivativeWorkspace<T>::DerivativeWorkspace(const Model& model)
    : composite(model), inverse(model), by_q(composite.M.size()), by_v(composite.M.size()) {}

namespace derivatives_detail {

/// −A x for a symmetric A.
template <Real T>
ULNA_INLINE void put_minus_product(MatrixView<const T> A, const T* x, T* out) {
  const int n = A.rows;
  for_rows<T>(n, 0, n, [&](auto rows, int r) {
    auto sum = rows.same(T(0.0));
    for (int k = 0; k < n; ++k) sum -= rows.load(A.column(k) + r) * rows.same(x[k]);
    rows.store(sum, out + r);
  });
}

}  // namespace derivatives_detail

template <Real T>
void forward_derivatives(const Model& model, DerivativeWorkspace<T>& ws, VectorIn<T> q, VectorIn<T> v, VectorIn<T> tau,
                         VectorOut<T> a, MatrixOut<T> dq, MatrixOut<T> dv, MatrixOut<T> dtau) {
  expect_size("q", q.size(), model.nq());
  expect_size("v", v.size(), model.nv());
  expect_size("tau", tau.size(), model.nv());
  expect_size("a", a.size(), model.nv());
  expect_square(model, dq);
  expect_square(model, dv);
  composite_body::Workspace<T>& composite = ws.composite;
  const auto square = [&](std::vector<T>& place) { return MatrixView<T>{place.data(), model.nv(), model.nv()}; };
  const MatrixView<T> M = square(composite.M), by_q = square(ws.by_q), by_v = square(ws.by_v);
  newton_euler::derivatives_detail::begin<T>(model, {by_q, by_v});
  const std::span<T> h(composite.h);
  composite.bias.poses.update(model, q);
  composite_body::detail::mass_matrix<T>(model, composite, M);
  composite_body::factor(model, M);
  composite_body::invert(model, M, dtau);
  newton_euler::detail::bias<T>(model, composite.bias, q, v, h, {});
  for (std::size_t k = 0; k < h.size(); ++k) h[k] -= tau[k];
  derivatives_detail::put_minus_product<T>(dtau, h.data(), a.data());
  // M again, beside the derivatives: its place is free.
  newton_euler::derivatives_detail::inverse_derivatives<T>(model, composite.bias.poses, ws.inverse, v, a,
                                                           {by_q, by_v, M});
  for (int c = 0; c < model.nv(); ++c) {
    derivatives_detail::put_minus_product<T>(dtau, by_q.column(c), dq.column(c));
    derivatives_detail::put_minus_product<T>(dtau, by_v.column(c), dv.column(c));
  }
}

}  // namespace ulna::articulated_body
