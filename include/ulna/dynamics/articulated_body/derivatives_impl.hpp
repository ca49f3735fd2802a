// The steps behind articulated_body/derivatives.hpp, for scalars that the library does not hold.
#pragma once

#include "ulna/dynamics/articulated_body/derivatives.hpp"
#include "ulna/dynamics/composite_body/composite_body_impl.hpp"
#include "ulna/dynamics/newton_euler/derivatives_impl.hpp"
#include "ulna/dynamics/newton_euler/newton_euler_impl.hpp"

namespace ulna::articulated_body {

template <Real T>
DerivativeWorkspace<T>::DerivativeWorkspace(const Model& model)
    : composite(model), inverse(model), M(composite.M.size()) {}

template <Real T>
void forward_derivatives(const Model& model, DerivativeWorkspace<T>& ws, VectorIn<T> q, VectorIn<T> v, VectorIn<T> tau,
                         VectorOut<T> a, MatrixOut<T> dq, MatrixOut<T> dv, MatrixOut<T> dtau) {
  expect_square(model, dtau);
  composite_body::forward_dynamics(model, ws.composite, q, v, tau, a);  // leaves M's factor
  const MatrixView<T> factored{ws.composite.M.data(), model.nv(), model.nv()};
  newton_euler::inverse_derivatives(model, ws.inverse, q, v, a, dq, dv, {ws.M.data(), model.nv(), model.nv()});
  dtau.fill(T(0.0));
  for (int k = 0; k < model.nv(); ++k) dtau(k, k) = T(1.0);
  for (const MatrixView<T>& columns : {dq, dv, dtau}) {
    for (int c = 0; c < model.nv(); ++c) {
      const std::span<T> column(columns.column(c), ws.composite.h.size());
      if (columns.data != dtau.data)
        for (T& x : column) x = -x;
      composite_body::solve(model, factored, column);
    }
  }
}

}  // namespace ulna::articulated_body
