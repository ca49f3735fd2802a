// Dynamics of serial arms by 4×4 homogeneous matrices (legnani1996): Newton–Euler with
// all six components of every joint's action (sec. 2.3, 4, 6) and Lagrange by traces (sec. 3).
// Everything is computed in frame (0). For revolute, prismatic and screw joints on a fixed base.
//
// Frames. Frame (0) has the axes of the world and its origin at the first joint. Frame (i) is
// Ulna's body frame, whose z is joint i's own axis; in the paper (DH) that axis is z of frame i−1.
// So L₍ᵢ₎ has its simple form of eq. (1) in frame i, and L_{i(0)} = M_{0,i} L_{i(i)} M_{0,i}⁻¹
// stands for the paper's M_{0,i−1} L_i M_{0,i−1}⁻¹ (sec. 6 prints M_{0,i} for DH too: erratum
// 4.7). In frame (0) all matrices are the same whichever link frames are used.
#pragma once

#include <vector>

#include "ulna/dynamics/arguments.hpp"
#include "ulna/dynamics/homogeneous/matrix4.hpp"
#include "ulna/model/link_poses.hpp"
#include "ulna/real/scalars.hpp"

namespace ulna::homogeneous {

/// The matrices of link i in frame (0): what the paper's sample program prints.
template <class T>
struct LinkMatrices {
  Matrix4<T> M_0;    // M_{0,i}    position
  Matrix4<T> L_0;    // L_{i(0)}   joint i: velocity at unit rate
  Matrix4<T> J_0;    // J_{i(0)}   pseudo-inertia
  Matrix4<T> W_0;    // W_{0,i}    velocity
  Matrix4<T> H_0;    // H_{0,i}    acceleration; with a = 0 the paper's H̃
  Matrix4<T> Phi_0;  // Φ_{i(0)}   external action
  Matrix4<T> Psi_0;  // Ψ_{i(0)}   action of links i…n on link i−1
};

template <Real T>
struct Workspace {
  /// Throws InputError for a robot that is not a serial arm of one-degree joints.
  explicit Workspace(const Model& model);

  LinkPoses<T> poses;
  std::vector<LinkMatrices<T>> links;
  std::vector<Matrix4<double>> L_own, J_own;  // L_{i(i)} and J_{i(i)}: the robot's constants
  std::vector<T> M, C;                        // mass matrix and bias, for forward dynamics
};

// In all of these `external` is Ulna's: per body a wrench at its mass centre in world axes; and
// `on_tip` is the paper's external action on the end effector: moment and force at the origin of
// model.tip(), in its axes.

/// tau = M(q) a + C(q, v) v + g(q) + friction + springs − external loads, by Newton–Euler. O(n).
template <Real T>
void inverse_dynamics(const Model& model, Workspace<T>& ws, VectorIn<T> q, VectorIn<T> v, VectorIn<T> a,
                      VectorOut<T> tau, Wrenches<T> external = {}, const Force<T>& on_tip = Force<T>::zero());

/// What every joint's bearings and drive carry: the moment and force that link i−1 transmits to
/// link i, at the origin of body i's frame and in its axes, so that z is along the joint. The
/// component on the joint is the drive's tau less friction, spring and armature, which act in the
/// joint as well. The same actions in frame (0) are −Psi_0 of the workspace's links.
template <Real T>
void joint_actions(const Model& model, Workspace<T>& ws, VectorIn<T> q, VectorIn<T> v, VectorIn<T> a,
                   VectorOut<Force<T>> actions, Wrenches<T> external = {}, const Force<T>& on_tip = Force<T>::zero());

/// M(q) by Lagrange's traces, full and symmetric, armature on its diagonal. O(n²).
template <Real T>
void mass_matrix(const Model& model, Workspace<T>& ws, VectorIn<T> q, MatrixOut<T> M);

/// The paper's vector C(q, v) by traces: Coriolis, centrifugal and gravity torques less those of
/// external loads; friction and springs left out. O(n).
template <Real T>
void velocity_and_gravity(const Model& model, Workspace<T>& ws, VectorIn<T> q, VectorIn<T> v, VectorOut<T> C,
                          Wrenches<T> external = {}, const Force<T>& on_tip = Force<T>::zero());

/// a from M a + C = tau − friction − springs, by composite_body's factor of M. O(n³).
template <Real T>
void forward_dynamics(const Model& model, Workspace<T>& ws, VectorIn<T> q, VectorIn<T> v, VectorIn<T> tau,
                      VectorOut<T> a, Wrenches<T> external = {}, const Force<T>& on_tip = Force<T>::zero());

/// g(q) by traces: the torque that holds the robot against gravity, springs left out.
template <Real T>
void gravity(const Model& model, Workspace<T>& ws, VectorIn<T> q, VectorOut<T> g);

#define ULNA_HOMOGENEOUS(EXTERN, T)                                                                                 \
  EXTERN template struct Workspace<T>;                                                                              \
  EXTERN template void inverse_dynamics<T>(const Model&, Workspace<T>&, VectorIn<T>, VectorIn<T>, VectorIn<T>,      \
                                           VectorOut<T>, Wrenches<T>, const Force<T>&);                             \
  EXTERN template void joint_actions<T>(const Model&, Workspace<T>&, VectorIn<T>, VectorIn<T>, VectorIn<T>,         \
                                        VectorOut<Force<T>>, Wrenches<T>, const Force<T>&);                         \
  EXTERN template void mass_matrix<T>(const Model&, Workspace<T>&, VectorIn<T>, MatrixOut<T>);                      \
  EXTERN template void velocity_and_gravity<T>(const Model&, Workspace<T>&, VectorIn<T>, VectorIn<T>, VectorOut<T>, \
                                               Wrenches<T>, const Force<T>&);                                       \
  EXTERN template void forward_dynamics<T>(const Model&, Workspace<T>&, VectorIn<T>, VectorIn<T>, VectorIn<T>,      \
                                           VectorOut<T>, Wrenches<T>, const Force<T>&);                             \
  EXTERN template void gravity<T>(const Model&, Workspace<T>&, VectorIn<T>, VectorOut<T>);
ULNA_EXTERN_TEMPLATES(ULNA_HOMOGENEOUS)

}  // namespace ulna::homogeneous
