// Revolute joint: turns about z. A continuous joint is one without limits.
#pragma once

#include "ulna/model/joints/joint.hpp"

namespace ulna {

struct Revolute : PlainCoordinates<1> {
  static constexpr const char *name = "revolute", *look = "cylinder";
  static constexpr JointNumber positions[] = {{"", false}}, rates[] = {{"", false}};
  static constexpr int angle = 0;
  static constexpr bool has_axis = true, is_axial = true;
  static constexpr Directions directions{0, 1, 3, 4, 5, 2};

  template <Real T>
  ULNA_INLINE static void place(const JointData&, const Placement& at, const T*, LinkPose<T>& x) {
    x.p = cast<T>(at.p);
  }
  template <Real T>
  ULNA_INLINE static void add_rates(const JointData&, const T* v, const T* a, Rates<T>& r) {
    r.alpha += Vec3<T>{r.omega.y * v[0], -(r.omega.x * v[0]), a[0]};
    r.omega.z += v[0];
  }
  template <Real T>
  ULNA_INLINE static void add_motion(const JointData&, const T* v, Motion<T>& m) {
    m.angular.z += v[0];
  }
  template <Real T>
  ULNA_INLINE static std::array<T, 1> project(const JointData&, const Force<T>& f) {
    return {f.moment.z};
  }
  template <Real T>
  ULNA_INLINE static std::array<Force<T>, 1> times(const JointData&, const ArticulatedInertia<T>& i) {
    return {Force<T>{i.J.column_z(), i.H.row_z()}};
  }
  template <Real T>
  ULNA_INLINE static Motion<T> swept(const JointData&, const Motion<T>& m) {
    const T o(0.0);
    return {{m.angular.y, -m.angular.x, o}, {m.linear.y, -m.linear.x, o}};
  }
  template <Real T>
  ULNA_INLINE static std::array<Force<T>, 1> times(const JointData&, const RigidInertia<T>& i) {
    return {Force<T>{i.about_origin.column_z(), {-i.h.y, i.h.x, T(0.0)}}};
  }

  template <class T>
  static void lock(const JointData&, const Relative<T>& x, T* out) {
    put({x.R.xz, x.R.yz, x.d.x, x.d.y, x.d.z}, out);
  }
  /// What is symmetric about the axis and has no inertia about it.
  static RigidInertia<double> movable(const RigidInertia<double>& a) {
    RigidInertia<double> part = massless_movable(a);
    part.mass = a.mass;
    part.h.z = a.h.z;
    return part;
  }
};

}  // namespace ulna
