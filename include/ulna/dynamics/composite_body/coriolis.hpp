// The Coriolis matrix C(q, v) with Ṁ − 2C skew-symmetric, for any tree (Echeandia and Wensing,
// "Numerical methods to compute the Coriolis matrix", 2021). O(n · depth).
#pragma once

#include <vector>

#include "ulna/dynamics/arguments.hpp"
#include "ulna/model/link_poses.hpp"
#include "ulna/real/scalars.hpp"

namespace ulna::composite_body {

/// Everything in world axes, about the origin of the first body, so that a robot far from the
/// world's origin loses no digits.
template <Real T>
struct CoriolisWorkspace {
  explicit CoriolisWorkspace(const Model& model);

  /// B = [Baa 0; −[f]× 0] is the body-level Coriolis matrix of one rigid body: its other blocks
  /// cancel identically.
  struct BodyState {
    Pose<T> pose;
    Motion<T> v;
    RigidInertia<T> I;  // composite
    Mat3<T> Baa;        // composite
    Vec3<T> f;          // composite
  };
  LinkPoses<T> poses;
  std::vector<BodyState> bodies;
  std::vector<Motion<T>> S, S_dot;  // by velocity index
};

template <Real T>
void coriolis_matrix(const Model& model, CoriolisWorkspace<T>& ws, VectorIn<T> q, VectorIn<T> v, MatrixOut<T> C);

#define ULNA_CORIOLIS(EXTERN, T)               \
  EXTERN template struct CoriolisWorkspace<T>; \
  EXTERN template void coriolis_matrix<T>(const Model&, CoriolisWorkspace<T>&, VectorIn<T>, VectorIn<T>, MatrixOut<T>);
ULNA_EXTERN_TEMPLATES(ULNA_CORIOLIS)

}  // namespace ulna::composite_body
