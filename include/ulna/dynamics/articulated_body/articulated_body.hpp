// Forward dynamics by the articulated-body method (Featherstone 1983), O(n), with the
// Newton–Euler bias folded into the inward sweep: the bodies first get the accelerations a⁰ they
// have at zero joint acceleration, and the recursion solves for the difference only. That saves
// the products of articulated inertias with velocity-product accelerations.
#pragma once

#include <vector>

#include "ulna/dynamics/newton_euler/newton_euler.hpp"

namespace ulna::articulated_body {

template <Real T>
struct Workspace {
  explicit Workspace(const Model& model);

  LinkPoses<T> poses;
  std::vector<newton_euler::BodyRates<T>> rates;
  std::vector<Force<T>> p;                // bias wrench of the articulated body
  std::vector<ArticulatedInertia<T>> IA;  // what its children add to its own inertia
  std::vector<Force<T>> W;                // Iᴬ S D⁻¹, by velocity index
  std::size_t stride;                     // numbers of D per velocity index
  std::vector<T> D;                       // factored, see JointBlock::store
  std::vector<T> y;                       // D⁻¹ (τ − Sᵀ p), by velocity index
  std::vector<Motion<T>> acceleration;    // beyond a⁰
  std::vector<Mat3<T>> world;             // body axes in world axes; only with external wrenches
  std::vector<T> zero;
};

/// a = M⁻¹ (tau − h): accelerations of all joints under these torques.
template <Real T>
void forward_dynamics(const Model& model, Workspace<T>& ws, VectorIn<T> q, VectorIn<T> v, VectorIn<T> tau,
                      VectorOut<T> a, Wrenches<T> external = {});

/// a = M⁻¹ f: what joint forces f add to the accelerations, at the position of the last
/// forward_dynamics() in this workspace. Two sweeps over vectors, without its inertias.
template <Real T>
void response(const Model& model, Workspace<T>& ws, VectorIn<T> f, VectorOut<T> a);

/// Half of it: u = H f and y = D⁻¹ u of M⁻¹ = Hᵀ D⁻¹ H, for forces in the joints of some bodies alone.
/// `bodies` are these and all that carry them, outermost first; u and y are written at their joints.
template <Real T>
void half_response(const Model& model, Workspace<T>& ws, std::span<const int> bodies, VectorIn<T> f, VectorOut<T> u,
                   VectorOut<T> y);

#define ULNA_ARTICULATED_BODY(EXTERN, T)                                                                              \
  EXTERN template struct Workspace<T>;                                                                                \
  EXTERN template void forward_dynamics<T>(const Model&, Workspace<T>&, VectorIn<T>, VectorIn<T>, VectorIn<T>,        \
                                           VectorOut<T>, Wrenches<T>);                                                \
  EXTERN template void response<T>(const Model&, Workspace<T>&, VectorIn<T>, VectorOut<T>);                           \
  EXTERN template void half_response<T>(const Model&, Workspace<T>&, std::span<const int>, VectorIn<T>, VectorOut<T>, \
                                        VectorOut<T>);
ULNA_EXTERN_TEMPLATES(ULNA_ARTICULATED_BODY)

}  // namespace ulna::articulated_body
