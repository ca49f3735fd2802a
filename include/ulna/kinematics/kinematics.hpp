// Kinematics of all bodies in world axes: poses, velocities, accelerations, Jacobians, and what
// sums over bodies: mass centre, momentum, energy.
#pragma once

#include <vector>

#include "ulna/model/link_poses.hpp"
#include "ulna/real/matrix_view.hpp"
#include "ulna/real/scalars.hpp"

namespace ulna {

/// The frame in which a velocity of a frame F (or its Jacobian) is expressed. There is no default:
/// two of them always look alike and are not.
enum class Reference {
  world_axes,    // angular velocity of F and velocity of F's origin, in world axes
  own_axes,      // the same, in F's own axes
  world_origin,  // spatial velocity in the world frame: of the point of F's body at the world origin
};

template <Real T>
class Kinematics {
 public:
  explicit Kinematics(const Model& model);
  explicit Kinematics(Model&&) = delete;  // it keeps a reference

  // Each step needs the ones before it, for the same state. Quaternions must be of unit length, frames and bodies the
  // model's own; std::invalid_argument otherwise.
  void update_positions(VectorIn<T> q);
  void update_velocities(VectorIn<T> v);
  void update_accelerations(VectorIn<T> v, VectorIn<T> a);

  // ---- after update_positions
  Pose<T> pose(const Frame& frame) const;
  /// 6 × nv, angular rows first.
  void jacobian(const Frame& frame, Reference reference, MatrixOut<T> J) const;
  /// What joint velocity k of a body does to a point that it carries: angular velocity and velocity of
  /// the point, in world axes.
  Motion<T> unit_motion(const Body& body, int k, const Vec3<T>& point) const;
  Vec3<T> com() const;
  T gravity_energy() const;  // −Σ m g·c
  T spring_energy(VectorIn<T> q) const;

  // ---- after update_velocities
  Motion<T> velocity(const Frame& frame, Reference reference) const;
  T kinetic_energy(VectorIn<T> v) const;  // rotors (armature) included
  /// Linear momentum in `force`, angular momentum about the mass centre in `moment`, world axes.
  Force<T> momentum() const;

  // ---- after update_accelerations
  /// Angular acceleration and acceleration of the frame's origin as a stopwatch and a ruler would
  /// measure them: the time derivative of `velocity` in the same reference.
  Motion<T> acceleration(const Frame& frame, Reference reference) const;

  /// All of a frame at once: its pose, and the rates of its origin in world axes.
  struct PointRates {
    Pose<T> pose;
    Vec3<T> omega, velocity, alpha, acceleration;
  };
  PointRates rates_of(const Frame& frame) const;

  // ---- after update_velocities; leaves the accelerations at those of zero joint acceleration
  /// J̇ v for each frame asked of `acceleration` afterwards.
  void update_bias_accelerations(VectorIn<T> v) { update_accelerations(v, zero_); }

 private:
  struct BodyState {
    Pose<T> pose;
    Vec3<T> omega, velocity;  // of the body's origin, world axes
    Vec3<T> alpha, acceleration;
  };

  /// Of body i's velocity k: see unit_motion().
  ULNA_INLINE Motion<T> column(std::size_t i, int k, const Vec3<T>& point) const;

  const Model& model_;
  LinkPoses<T> links_;
  std::vector<BodyState> state_;
  std::vector<T> zero_;
};

/// Yoshikawa's √det(J Jᵀ), or √det(Jᵀ J) with fewer columns than rows, and its relatives, from the
/// singular values of a Jacobian (double only: a decomposition branches).
struct Manipulability {
  double yoshikawa;
  double condition;  // largest over smallest singular value; infinite when singular
  double smallest;   // smallest singular value
  int rank;
};
Manipulability manipulability(MatrixIn<double> J);
/// Of the `directions` that can be had at once: the largest so many singular values.
Manipulability manipulability(MatrixIn<double> J, int directions);

#define ULNA_KINEMATICS(EXTERN, T) EXTERN template class Kinematics<T>;
ULNA_EXTERN_TEMPLATES(ULNA_KINEMATICS)

}  // namespace ulna
