// The joint-space inertia matrix M by the composite-rigid-body method (Walker and Orin 1982),
// the Coriolis matrix C beside it, and forward dynamics through M's sparse factor.
#pragma once

#include <vector>

#include "ulna/dynamics/newton_euler/newton_euler.hpp"

namespace ulna::composite_body {

template <Real T>
struct Workspace {
  explicit Workspace(const Model& model);

  newton_euler::Workspace<T> bias;         // and the poses
  std::vector<RigidInertia<T>> composite;  // a body with all it carries, rigid
  std::vector<T> M;                        // nv × nv, for forward dynamics
  std::vector<T> h;                        // bias
};

/// M(q), full and symmetric, armature on its diagonal. O(n · depth).
template <Real T>
void mass_matrix(const Model& model, Workspace<T>& ws, VectorIn<T> q, MatrixOut<T> M);

/// a = M⁻¹ (tau − h) by M = Lᵀ D L, whose L has the zeros of the tree (Featherstone 2005).
template <Real T>
void forward_dynamics(const Model& model, Workspace<T>& ws, VectorIn<T> q, VectorIn<T> v, VectorIn<T> tau,
                      VectorOut<T> a, Wrenches<T> external = {});

/// M = Lᵀ D L in place: D on the diagonal, Lᵀ above it, so that columns are walked as they lie in
/// memory. Only entries between a degree of freedom and its ancestors are touched.
template <Real T>
void factor(const Model& model, MatrixView<T> M);

/// x := M⁻¹ x with the factor.
template <Real T>
void solve(const Model& model, MatrixView<T> factored, VectorOut<T> x);

/// M⁻¹, full and symmetric, from the factor.
template <Real T>
void invert(const Model& model, MatrixView<T> factored, MatrixOut<T> inverse);

/// M⁻¹(q).
template <Real T>
void inverse_mass_matrix(const Model& model, Workspace<T>& ws, VectorIn<T> q, MatrixOut<T> inverse);

#define ULNA_COMPOSITE_BODY(EXTERN, T)                                                                         \
  EXTERN template struct Workspace<T>;                                                                         \
  EXTERN template void mass_matrix<T>(const Model&, Workspace<T>&, VectorIn<T>, MatrixOut<T>);                 \
  EXTERN template void forward_dynamics<T>(const Model&, Workspace<T>&, VectorIn<T>, VectorIn<T>, VectorIn<T>, \
                                           VectorOut<T>, Wrenches<T>);                                         \
  EXTERN template void factor<T>(const Model&, MatrixView<T>);                                                 \
  EXTERN template void solve<T>(const Model&, MatrixView<T>, VectorOut<T>);                                    \
  EXTERN template void invert<T>(const Model&, MatrixView<T>, MatrixOut<T>);                                   \
  EXTERN template void inverse_mass_matrix<T>(const Model&, Workspace<T>&, VectorIn<T>, MatrixOut<T>);
ULNA_EXTERN_TEMPLATES(ULNA_COMPOSITE_BODY)

}  // namespace ulna::composite_body
