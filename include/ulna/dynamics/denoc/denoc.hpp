// Dynamics by the decoupled natural orthogonal complement: saha2001 and bhangale2004 (doc/papers.md).
// Their letters; serial arms with revolute, prismatic and screw joints on a fixed base.
//
// Twists t_i and wrenches w_i are at O_i, the origin of Ulna's body frame: a point of the joint
// axis that is fixed in link i. For a prismatic joint that matters: with a point fixed in link
// i−1, as bhangale2004 may be read, the Coriolis term is lost (erratum 2.2). [·]_i are components in that
// frame, B_{i,i−1} (A_{i,i−1} in bhangale2004) is LinkPose::to_body, its transpose LinkPose::to_parent.
#pragma once

#include <vector>

#include "ulna/dynamics/newton_euler/newton_euler.hpp"

namespace ulna::denoc {

template <Real T>
struct Workspace {
  explicit Workspace(const Model& model);

  LinkPoses<T> poses;
  std::vector<newton_euler::BodyRates<T>> rates;  // of each link, for w_i
  std::vector<Force<T>> w;                        // wrench of each link, then w̃_i
  std::vector<Mat3<T>> world;                     // link axes in world axes; only with external wrenches
  std::vector<T> phi;                             // φ = τ − C θ̇ (gravity, friction and loads included)
  std::vector<RigidInertia<T>> M_tilde;           // mass of the composite body, eq. (6) of saha2001
  std::vector<ArticulatedInertia<T>> M_hat;       // and of the articulated body, eq. (28)
  std::vector<Force<T>> psi;                      // ψ_i, eq. (27)
  std::vector<Force<T>> eta;                      // η_{i,i+1}, eq. (13)
  std::vector<Motion<T>> mu;                      // μ_i, eq. (15)
  std::vector<T> m_hat;                           // m̂_i, eq. (26): the diagonal of D
  std::vector<T> tau_tilde;                       // τ̂_i, then τ̃_i
  std::vector<T> zero;
};

/// τ = I θ̈ + C θ̇ + …, from eq. (8) of bhangale2004: w = M ṫ + W M E t link by link, τ = T_dᵀ T_lᵀ w. The wrenches w are
/// computed by newton_euler's outward sweep, which takes fewer operations than these products.
template <Real T>
void inverse_dynamics(const Model& model, Workspace<T>& ws, VectorIn<T> q, VectorIn<T> v, VectorIn<T> a,
                      VectorOut<T> tau, Wrenches<T> external = {});

/// The generalised inertia matrix (GIM) element by element: i_ij = p_iᵀ M̃_i B_ij p_j, eq. (6) of
/// saha2001 and (10), (13) of bhangale2004.
template <Real T>
void mass_matrix(const Model& model, Workspace<T>& ws, VectorIn<T> q, MatrixOut<T> I);

/// θ̈ by the three steps of saha2001, section 2.2: A  τ̂ = U⁻¹ φ,  B  τ̃ = D⁻¹ τ̂,  C  θ̈ = U⁻ᵀ τ̃.
/// U and D are never formed. O(n).
template <Real T>
void forward_dynamics(const Model& model, Workspace<T>& ws, VectorIn<T> q, VectorIn<T> v, VectorIn<T> tau,
                      VectorOut<T> a, Wrenches<T> external = {});

#define ULNA_DENOC(EXTERN, T)                                                                                  \
  EXTERN template struct Workspace<T>;                                                                         \
  EXTERN template void inverse_dynamics<T>(const Model&, Workspace<T>&, VectorIn<T>, VectorIn<T>, VectorIn<T>, \
                                           VectorOut<T>, Wrenches<T>);                                         \
  EXTERN template void mass_matrix<T>(const Model&, Workspace<T>&, VectorIn<T>, MatrixOut<T>);                 \
  EXTERN template void forward_dynamics<T>(const Model&, Workspace<T>&, VectorIn<T>, VectorIn<T>, VectorIn<T>, \
                                           VectorOut<T>, Wrenches<T>);
ULNA_EXTERN_TEMPLATES(ULNA_DENOC)

}  // namespace ulna::denoc
