// Dynamics in joint space by spatial operators (wolinski2015, after Rodriguez, Jain and
// Kreutz-Delgado): D q̈ + C q̇ + G + Q = T, eq. (23), with D, C, G, Q by eqs (24)–(27).
//
// The paper's letters; everything in world axes, velocities and forces at the mass centre of their
// link, linear part first: V = [ṙ; ω], F = [force; moment]. Link j hangs on link i = j − 1 by a
// joint of one degree. The paper has revolute joints only; prismatic and screw are ours.
// Nothing of size 6n × 6n is formed: Φ is an outward sweep, Φᵀ an inward one. The paper's matrices
// themselves are in explicit_matrices.hpp.
#pragma once

#include <vector>

#include "ulna/dynamics/arguments.hpp"
#include "ulna/model/link_poses.hpp"
#include "ulna/real/scalars.hpp"

namespace ulna::spatial_operator {

/// A 6×1 vector of the paper, linear part first: V, V̇, H or F.
template <class T>
struct SpatialVector {
  Vec3<T> linear, angular;

  static ULNA_INLINE SpatialVector zero() { return {Vec3<T>::zero(), Vec3<T>::zero()}; }
  ULNA_INLINE SpatialVector& operator+=(const SpatialVector& b) { return *this = *this + b; }

  friend ULNA_INLINE SpatialVector operator+(const SpatialVector& a, const SpatialVector& b) {
    return {a.linear + b.linear, a.angular + b.angular};
  }
  friend ULNA_INLINE SpatialVector operator-(const SpatialVector& a, const SpatialVector& b) {
    return {a.linear - b.linear, a.angular - b.angular};
  }
  friend ULNA_INLINE SpatialVector operator-(const SpatialVector& a) { return {-a.linear, -a.angular}; }
  friend ULNA_INLINE SpatialVector operator*(const T& k, const SpatialVector& a) {
    return {k * a.linear, k * a.angular};
  }
};

/// Hᵀ F.
template <class T>
ULNA_INLINE T dot(const SpatialVector<T>& a, const SpatialVector<T>& b) {
  return ulna::dot(a.linear, b.linear) + ulna::dot(a.angular, b.angular);
}

/// B_ij = [1 −r̃_ij; 0 1], eq. (36): V_i as felt at the mass centre of link j.
template <class T>
struct Shift {
  Vec3<T> r;
  friend ULNA_INLINE SpatialVector<T> operator*(const Shift& B, const SpatialVector<T>& V) {
    return {V.linear - cross(B.r, V.angular), V.angular};
  }
  friend ULNA_INLINE SpatialVector<T> transpose_times(const Shift& B, const SpatialVector<T>& F) {
    return {F.linear, F.angular + cross(B.r, F.linear)};
  }
};

/// Ḃ_ij = [0 −(ṙ_ij)~; 0 0], eq. (38) with erratum 3.3: the tilde is over the whole vector.
template <class T>
struct ShiftRate {
  Vec3<T> r_dot;
  friend ULNA_INLINE SpatialVector<T> operator*(const ShiftRate& B_dot, const SpatialVector<T>& V) {
    return {cross(V.angular, B_dot.r_dot), Vec3<T>::zero()};
  }
};

/// M_j = diag(m 1, J), eq. (45); J about the mass centre.
template <class T>
struct LinkInertia {
  T m;
  Sym3<T> J;
  friend ULNA_INLINE SpatialVector<T> operator*(const LinkInertia& M, const SpatialVector<T>& V) {
    return {M.m * V.linear, M.J * V.angular};
  }
};

/// Ω_j = diag(0, −ω̃_j J_j), eq. (47).
template <class T>
struct Gyroscopic {
  Vec3<T> omega;
  Sym3<T> J;
  friend ULNA_INLINE SpatialVector<T> operator*(const Gyroscopic& Omega, const SpatialVector<T>& V) {
    return {Vec3<T>::zero(), cross(Omega.J * V.angular, Omega.omega)};
  }
};

/// The block operators of link j; the first three and A from q, the others from q̇ as well.
template <class T>
struct Link {
  Mat3<T> A;  // link axes in world axes, eq. (6)
  SpatialVector<T> H;
  Shift<T> B;  // B_ij; of the first link never used
  LinkInertia<T> M;
  SpatialVector<T> H_dot;
  ShiftRate<T> B_dot;
  Gyroscopic<T> Omega;
};

template <Real T>
struct Workspace {
  /// Throws InputError unless the model is a serial arm of one-degree joints.
  explicit Workspace(const Model& model);

  LinkPoses<T> poses;
  std::vector<Sym3<double>> J;  // J′_j: about the mass centre, in link axes
  std::vector<Link<T>> links;
  std::vector<SpatialVector<T>> V, V_dot, F;
  std::vector<T> D, h;  // for forward dynamics
  std::vector<T> zero;  // n of them, for accelerations that are zero
};

/// T = D q̈ + C q̇ + G + Q + friction + springs, by eqs (8), (9) outward and (15), (18) inward. O(n).
template <Real T>
void inverse_dynamics(const Model& model, Workspace<T>& ws, VectorIn<T> q, VectorIn<T> v, VectorIn<T> a,
                      VectorOut<T> tau, Wrenches<T> external = {});

/// q̈ = D⁻¹ (T − C q̇ − G − Q): the bias by the recursion above, D by (24) and its LᵀDL factor.
/// O(n²) to form D, O(n³) to factor it.
template <Real T>
void forward_dynamics(const Model& model, Workspace<T>& ws, VectorIn<T> q, VectorIn<T> v, VectorIn<T> tau,
                      VectorOut<T> a, Wrenches<T> external = {});

/// D = HᵀΦᵀMΦH, eq. (24), column by column; full and symmetric, armature on its diagonal. O(n²).
template <Real T>
void mass_matrix(const Model& model, Workspace<T>& ws, VectorIn<T> q, MatrixOut<T> D);

/// C = HᵀΦᵀ(MΦ(ḂΦH + Ḣ) − ΩΦH), eq. (25), column by column. Ḋ − 2C is skew-symmetric, but C is not
/// composite_body's: the two differ by a matrix that q̇ annihilates. O(n²).
template <Real T>
void coriolis_matrix(const Model& model, Workspace<T>& ws, VectorIn<T> q, VectorIn<T> v, MatrixOut<T> C);

/// G = HᵀΦᵀ(−F_G), eq. (26). O(n).
template <Real T>
void gravity(const Model& model, Workspace<T>& ws, VectorIn<T> q, VectorOut<T> G);

/// Q = HᵀΦᵀ(−F_Q), eq. (27): what the drives have to hold against external wrenches. O(n).
template <Real T>
void external_forces(const Model& model, Workspace<T>& ws, VectorIn<T> q, Wrenches<T> external, VectorOut<T> Q);

#define ULNA_SPATIAL_OPERATOR(EXTERN, T)                                                                        \
  EXTERN template struct Workspace<T>;                                                                          \
  EXTERN template void inverse_dynamics<T>(const Model&, Workspace<T>&, VectorIn<T>, VectorIn<T>, VectorIn<T>,  \
                                           VectorOut<T>, Wrenches<T>);                                          \
  EXTERN template void forward_dynamics<T>(const Model&, Workspace<T>&, VectorIn<T>, VectorIn<T>, VectorIn<T>,  \
                                           VectorOut<T>, Wrenches<T>);                                          \
  EXTERN template void mass_matrix<T>(const Model&, Workspace<T>&, VectorIn<T>, MatrixOut<T>);                  \
  EXTERN template void coriolis_matrix<T>(const Model&, Workspace<T>&, VectorIn<T>, VectorIn<T>, MatrixOut<T>); \
  EXTERN template void gravity<T>(const Model&, Workspace<T>&, VectorIn<T>, VectorOut<T>);                      \
  EXTERN template void external_forces<T>(const Model&, Workspace<T>&, VectorIn<T>, Wrenches<T>, VectorOut<T>);
ULNA_EXTERN_TEMPLATES(ULNA_SPATIAL_OPERATOR)

}  // namespace ulna::spatial_operator
