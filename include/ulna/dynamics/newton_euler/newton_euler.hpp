// Inverse dynamics by the recursive Newton–Euler method (Luh, Walker and Paul 1980): rates
// outward, wrenches inward, everything in body axes. O(n).
#pragma once

#include <vector>

#include "ulna/dynamics/arguments.hpp"
#include "ulna/model/link_poses.hpp"
#include "ulna/real/scalars.hpp"

namespace ulna::newton_euler {

/// Rates of a body and A = [α]× + [ω]×[ω]×, so that the point at r accelerates by a + A r.
template <class T>
struct BodyRates : Rates<T> {
  Mat3<T> A;
};

template <Real T>
struct Workspace {
  explicit Workspace(const Model& model);

  LinkPoses<T> poses;
  std::vector<BodyRates<T>> rates;
  std::vector<Force<T>> wrench;  // per body, about its origin
  std::vector<Mat3<T>> world;    // body axes in world axes; only with external wrenches
  std::vector<T> zero;           // nv of them, for v or a that are zero
};

/// tau = M(q) a + C(q, v) v + g(q) + friction + springs − external wrenches.
template <Real T>
void inverse_dynamics(const Model& model, Workspace<T>& ws, VectorIn<T> q, VectorIn<T> v, VectorIn<T> a,
                      VectorOut<T> tau, Wrenches<T> external = {});

/// The same for a = 0: what M a has to be added to.
template <Real T>
void bias(const Model& model, Workspace<T>& ws, VectorIn<T> q, VectorIn<T> v, VectorOut<T> h,
          Wrenches<T> external = {});

/// g(q): the torque that holds the robot against gravity, springs and friction left out.
template <Real T>
void gravity(const Model& model, Workspace<T>& ws, VectorIn<T> q, VectorOut<T> g);

/// C(q, v) v: the velocity part alone, friction left out.
template <Real T>
void coriolis_force(const Model& model, Workspace<T>& ws, VectorIn<T> q, VectorIn<T> v, VectorOut<T> cv);

#define ULNA_NEWTON_EULER(EXTERN, T)                                                                              \
  EXTERN template struct Workspace<T>;                                                                            \
  EXTERN template void inverse_dynamics<T>(const Model&, Workspace<T>&, VectorIn<T>, VectorIn<T>, VectorIn<T>,    \
                                           VectorOut<T>, Wrenches<T>);                                            \
  EXTERN template void bias<T>(const Model&, Workspace<T>&, VectorIn<T>, VectorIn<T>, VectorOut<T>, Wrenches<T>); \
  EXTERN template void gravity<T>(const Model&, Workspace<T>&, VectorIn<T>, VectorOut<T>);                        \
  EXTERN template void coriolis_force<T>(const Model&, Workspace<T>&, VectorIn<T>, VectorIn<T>, VectorOut<T>);
ULNA_EXTERN_TEMPLATES(ULNA_NEWTON_EULER)

}  // namespace ulna::newton_euler
