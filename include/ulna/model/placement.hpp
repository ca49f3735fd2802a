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
    if (full != nullptr) return rotate_full(a);
    const V x = turn_x(Turn<T>{T(at->alpha.c), T(at->alpha.s)}, turn_z(theta, a));
    return at->has_gamma ? turn_z(Turn<T>{T(at->gamma.c), T(at->gamma.s)}, x) : x;
  }
  /// Body axes from parent axes.
  ULNA_INLINE Vec3<T> rotate_in(const Vec3<T>& a) const {
    if (full != nullptr) return transpose_times(*full, a);
    const Vec3<T> x = at->has_gamma ? turn_z(Turn<T>{T(at->gamma.c), T(-at->gamma.s)}, a) : a;
    return turn_z(theta.back(), turn_x(Turn<T>{T(at->alpha.c), T(-at->alpha.s)}, x));
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
    return shift(ArticulatedInertia<T>{rotate_out(a.J), rotate_out(a.H), rotate_out(a.M)}, p);
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
  ULNA_INLINE Vec3<T> rotate_full(const Vec3<T>& a) const { return *full * a; }
  ULNA_INLINE Sym3<T> rotate_full(const Sym3<T>& a) const { return rotate(*full, a); }
  ULNA_INLINE Mat3<T> rotate_full(const Mat3<T>& a) const { return rotate(*full, a); }
};

}  // namespace ulna
