// Derivatives of forward dynamics: a with ∂a/∂q, ∂a/∂v and ∂a/∂τ = M⁻¹. At the accelerations that the
// torques give, τ does not change along the solution: ∂a/∂x = −M⁻¹ ∂τ/∂x. The same robots as in
// newton_euler/derivatives.hpp.
#pragma once

#include "ulna/dynamics/composite_body/composite_body.hpp"
#include "ulna/dynamics/newton_euler/derivatives.hpp"

namespace ulna::articulated_body {

template <Real T>
struct DerivativeWorkspace {
  explicit DerivativeWorkspace(const Model& model);

  composite_body::Workspace<T> composite;
  newton_euler::DerivativeWorkspace<T> inverse;
  std::vector<T> by_q, by_v;  // ∂τ/∂q and ∂τ/∂v
};

/// a by M⁻¹, which the derivatives need anyway. Column j of dq is ∂a/∂q_j.
template <Real T>
void forward_derivatives(const Model& model, DerivativeWorkspace<T>& ws, VectorIn<T> q, VectorIn<T> v, VectorIn<T> tau,
                         VectorOut<T> a, MatrixOut<T> dq, MatrixOut<T> dv, MatrixOut<T> dtau);

#define ULNA_FORWARD_DERIVATIVES(EXTERN, T)                                                                    \
  EXTERN template struct DerivativeWorkspace<T>;                                                               \
  EXTERN template void forward_derivatives<T>(const Model&, DerivativeWorkspace<T>&, VectorIn<T>, VectorIn<T>, \
                                              VectorIn<T>, VectorOut<T>, MatrixOut<T>, MatrixOut<T>, MatrixOut<T>);
ULNA_EXTERN_DERIVATIVES(ULNA_FORWARD_DERIVATIVES)

}  // namespace ulna::articulated_body
