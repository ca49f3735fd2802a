// Derivatives of inverse dynamics by closed formulas: ∂τ/∂q, ∂τ/∂v and ∂τ/∂a = M in one pass over the
// pairs of joints (Singh, Russell and Wensing, "Efficient analytical derivatives of rigid-body dynamics
// using spatial vector algebra", 2022). Any tree and any joint, a free base too.
#pragma once

#include <vector>

#include "ulna/dynamics/arguments.hpp"
#include "ulna/model/link_poses.hpp"
#include "ulna/real/four.hpp"
#include "ulna/real/scalars.hpp"

namespace ulna::newton_euler {

template <Real T>
struct DerivativeWorkspace {
  explicit DerivativeWorkspace(const Model& model);

  struct BodyState {
    Motion<T> v, a;     // of the body; gravity is an acceleration of the ground
    RigidInertia<T> I;  // composite from here on
    Mat3<T> B;          // 2 B = [B 0; −[p]× 0], twice the Coriolis matrix of the composite
    Vec3<T> p;          // twice its linear momentum
    Force<T> f;         // the wrench that moves it
  };
  /// Of one velocity index, in the frame of its body. The joint of a body starts from v′ and a′: those of the parent,
  /// or where it turns and slides successively those after the turns and slides before.
  struct Column {
    Motion<T> S;
    Motion<T> psi_dot;   // ψ̇ = v′ × S
    Motion<T> rate;      // ψ̇ + Ṡ
    Motion<T> psi_ddot;  // ψ̈ = a′ × S + v′ × ψ̇
  };
  /// What a velocity brings to the joints between its body and the base, in the frame of the body where it has come to,
  /// side by side: the wrenches of ∂τ/∂q, ∂τ/∂v and ∂τ/∂a = I S, and the couple 2 Bᵀ S.
  struct Carried {
    int body, index;  // its body, its place in v
    Force<Four<T>> f;
  };
  LinkPoses<T> poses;
  std::vector<BodyState> bodies;
  std::vector<Column> columns;
  std::vector<Carried> carried;         // those of a body and of all bodies beyond it are side by side …
  std::vector<std::size_t> begin, end;  // … from begin to end, by body
};

/// Column j of dq is ∂τ/∂q_j: as q moves at unit rate of velocity j, which for joints with a quaternion is a turn or a
/// slide in the axes of the body. Friction and springs included, armature in M.
template <Real T>
void inverse_derivatives(const Model& model, DerivativeWorkspace<T>& ws, VectorIn<T> q, VectorIn<T> v, VectorIn<T> a,
                         MatrixOut<T> dq, MatrixOut<T> dv, MatrixOut<T> M);

#define ULNA_INVERSE_DERIVATIVES(EXTERN, T)                                                                    \
  EXTERN template struct DerivativeWorkspace<T>;                                                               \
  EXTERN template void inverse_derivatives<T>(const Model&, DerivativeWorkspace<T>&, VectorIn<T>, VectorIn<T>, \
                                              VectorIn<T>, MatrixOut<T>, MatrixOut<T>, MatrixOut<T>);
ULNA_EXTERN_DERIVATIVES(ULNA_INVERSE_DERIVATIVES)

}  // namespace ulna::newton_euler
