// Where a body stands in its parent.
//
// Every body frame has its joint's axis as z. Any rotation is Rz(γ) Rx(α) Rz(θ), and the turn of
// a body's own frame about z is free: build() uses it to make γ = 0 for the first child of every
// body (which is what DH does). So a step along a chain is a constant turn about x and a joint
// turn about z, and a general rotation matrix appears for joints without such freedom only (is_axial,
// joints/joint.hpp).
#pragma once

#include "ulna/spatial/pose.hpp"

namespace ulna {

/// The constant part: the joint's origin p and axes Rz(γ) Rx(α) in the parent body.
struct Placement {
  Vec3<double> p;
  Turn<double> gamma, alpha;
  bool has_gamma;         // false: γ = 0 and its turn is skipped
  Mat3<double> rotation;  // Rz(γ) Rx(α) in full; its z column is the joint axis
  double angle_offset;    // θ = angle_gain · q + angle_offset
  double angle_gain;      // 1 for joints with an angle θ, 0 for others; any for joints that follow another
};

/// The whole, for one state. `full` is set for joints that are not axial. `At` is the
/// constant part; other than Placement where the lanes of T hold different links.
template <Real T, class At = Placement>
struct LinkPose {
  const At* at;
  const Mat3<T>* full;
  Turn<T> theta;
  Vec3<T> p;

  /// Parent axes from body axes, for a vector or a tensor.
  template <class V>
  ULNA_INLINE V rotate_out(const V& a) const {
    return full != nullptr ? rotate_full(a) : place(turn_z(theta, a));
  }
  /// Body axes from parent axes.
  ULNA_INLINE Vec3<T> rotate_in(const Vec3<T>& a) const {
    return full != nullptr ? transpose_times(*full, a) : turn_z(theta.back(), take_up(a));
  }

  ULNA_INLINE Motion<T> to_body(const Motion<T>& m) const {
    return {rotate_in(m.angular), rotate_in(m.linear - cross(p, m.angular))};
  }
  ULNA_INLINE Force<T> to_parent(const Force<T>& f) const {
    const Vec3<T> force = rotate_out(f.force);
    return {rotate_out(f.moment) + cross(p, force), force};
  }
  ULNA_INLINE RigidInertia<T> to_parent(const RigidInertia<T>& a) const {
    return shift(RigidInertia<T>{a.mass, rotate_out(a.h), rotate_out(a.about_origin)}, p);
  }
  ULNA_INLINE ArticulatedInertia<T> to_parent(const ArticulatedInertia<T>& a) const {
    return joint_to_parent(to_joint(a));
  }

  // The same in two steps, by way of the joint's frame: the body's, turned back by θ about the axis, so that S is the
  // same there. Of joints that are not axial it is the body's own frame.
  ULNA_INLINE Force<T> to_joint(const Force<T>& f) const {
    return full != nullptr ? f : Force<T>{turn_z(theta, f.moment), turn_z(theta, f.force)};
  }
  ULNA_INLINE ArticulatedInertia<T> to_joint(const ArticulatedInertia<T>& a) const {
    if (full != nullptr) [[unlikely]]
      return a;
    return {turn_z(theta, a.J), turn_z(theta, a.H), turn_z(theta, a.M)};
  }
  ULNA_INLINE Force<T> joint_to_parent(const Force<T>& f) const {
    const Vec3<T> force = rotate_joint_out(f.force);
    return {rotate_joint_out(f.moment) + cross(p, force), force};
  }
  ULNA_INLINE ArticulatedInertia<T> joint_to_parent(const ArticulatedInertia<T>& a) const {
    return shift(ArticulatedInertia<T>{rotate_joint_out(a.J), rotate_joint_out(a.H), rotate_joint_out(a.M)}, p);
  }
  ULNA_INLINE Motion<T> parent_to_joint(const Motion<T>& m) const {
    const Vec3<T> linear = m.linear - cross(p, m.angular);
    return full != nullptr ? Motion<T>{transpose_times(*full, m.angular), transpose_times(*full, linear)}
                           : Motion<T>{take_up(m.angular), take_up(linear)};
  }
  ULNA_INLINE Motion<T> joint_to_body(const Motion<T>& m) const {
    return full != nullptr ? m : Motion<T>{turn_z(theta.back(), m.angular), turn_z(theta.back(), m.linear)};
  }

  /// The pose of the body in a frame that holds its parent at `parent`.
  ULNA_INLINE Pose<T> in(const Pose<T>& parent) const { return {in(parent.R), parent * p}; }
  /// Two turns instead of a product: a row of R (Rz Rx Rz) is that row of R, seen from the body.
  ULNA_INLINE Mat3<T> in(const Mat3<T>& R) const {
    if (full != nullptr) return R * *full;
    return Mat3<T>::from_rows(rotate_in(R.row_x()), rotate_in(R.row_y()), rotate_in(R.row_z()));
  }
  ULNA_INLINE Mat3<T> rotation() const {
    if (full != nullptr) return *full;
    const Mat3<T> R = cast<T>(at->rotation);
    const Turn<T> back = theta.back();
    return Mat3<T>::from_rows(turn_z(back, R.row_x()), turn_z(back, R.row_y()), turn_z(back, R.row_z()));
  }

 private:
  /// Rz(γ) Rx(α)
  template <class V>
  ULNA_INLINE V place(const V& a) const {
    const V x = turn_x(Turn<T>{T(at->alpha.c), T(at->alpha.s)}, a);
    return at->has_gamma ? turn_z(Turn<T>{T(at->gamma.c), T(at->gamma.s)}, x) : x;
  }
  /// Its inverse.
  ULNA_INLINE Vec3<T> take_up(const Vec3<T>& a) const {
    const Vec3<T> x = at->has_gamma ? turn_z(Turn<T>{T(at->gamma.c), T(-at->gamma.s)}, a) : a;
    return turn_x(Turn<T>{T(at->alpha.c), T(-at->alpha.s)}, x);
  }
  template <class V>
  ULNA_INLINE V rotate_joint_out(const V& a) const {
    if (full != nullptr) [[unlikely]]
      return rotate_full(a);
    return place(a);
  }
  ULNA_INLINE Vec3<T> rotate_full(const Vec3<T>& a) const { return *full * a; }
  ULNA_INLINE Sym3<T> rotate_full(const Sym3<T>& a) const { return rotate(*full, a); }
  ULNA_INLINE Mat3<T> rotate_full(const Mat3<T>& a) const { return rotate(*full, a); }
};

}  // namespace ulna
