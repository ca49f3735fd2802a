// Derivatives of inverse dynamics by closed formulas: ∂τ/∂q, ∂τ/∂v and ∂τ/∂a = M in one pass over the
// pairs of joints (Singh, Russell and Wensing, "Efficient analytical derivatives of rigid-body dynamics
// using spatial vector algebra", 2022). Trees on a fixed base whose joints have one degree of freedom.
#pragma once

#include <vector>

#include "ulna/base/error.hpp"
#include "ulna/dynamics/arguments.hpp"
#include "ulna/model/link_poses.hpp"
#include "ulna/real/scalars.hpp"

namespace ulna::newton_euler {

/// What derivatives are for. Throws InputError for any other robot.
inline void expect_one_degree_joints(const Model& model) {
  if (model.has_general_joints())
    throw InputError("derivatives are for robots whose joints have one degree of freedom");
}

template <Real T>
struct DerivativeWorkspace {
  /// Throws InputError if a joint has more than one degree of freedom.
  explicit DerivativeWorkspace(const Model& model);

  struct BodyState {
    Motion<T> v, a;            // of the body; gravity is an acceleration of the ground
    Motion<T> S, S_dot, S_dd;  // S, v′ × S and a′ × S + v′ × (v′ × S), with v′, a′ before the joint
    RigidInertia<T> I;         // composite from here on
    Mat3<T> B;                 // B = [B 0; −[p]× 0], the body's Coriolis matrix
    Vec3<T> p;                 // its linear momentum
    Force<T> f;                // the wrench that moves it
  };
  LinkPoses<T> poses;
  std::vector<BodyState> bodies;
};

/// Column j of dq is ∂τ/∂q_j. Friction and springs included, armature in M.
template <Real T>
void inverse_derivatives(const Model& model, DerivativeWorkspace<T>& ws, VectorIn<T> q, VectorIn<T> v, VectorIn<T> a,
                         MatrixOut<T> dq, MatrixOut<T> dv, MatrixOut<T> M);

#define ULNA_INVERSE_DERIVATIVES(EXTERN, T)                                                                    \
  EXTERN template struct DerivativeWorkspace<T>;                                                               \
  EXTERN template void inverse_derivatives<T>(const Model&, DerivativeWorkspace<T>&, VectorIn<T>, VectorIn<T>, \
                                              VectorIn<T>, MatrixOut<T>, MatrixOut<T>, MatrixOut<T>);
ULNA_EXTERN_TEMPLATES(ULNA_INVERSE_DERIVATIVES)

}  // namespace ulna::newton_euler
