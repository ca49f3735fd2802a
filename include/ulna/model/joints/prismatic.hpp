// Prismatic joint: slides along z.
#pragma once

#include "ulna/model/joints/joint.hpp"

namespace ulna {

struct Prismatic : PlainCoordinates<1> {
  static constexpr const char *name = "prismatic", *look = "block";
  static constexpr JointNumber positions[] = {{"", true}}, rates[] = {{"", true}};
  static constexpr bool has_axis = true, is_axial = true;
  static constexpr Directions directions{0, 1, 3, 4, 2, 5};

  template <Real T>
  ULNA_INLINE static void place(const JointData&, const Placement& at, const T* q, LinkPose<T>& x) {
    x.p = cast<T>(at.p) + q[0] * cast<T>(at.rotation.column_z());
  }
  template <Real T>
  ULNA_INLINE static void add_rates(const JointData&, const T* v, const T* a, Rates<T>& r) {
    const T v2 = v[0] + v[0];  // Coriolis: 2 ω × z v
    r.a += Vec3<T>{r.omega.y * v2, -(r.omega.x * v2), a[0]};
  }
  template <Real T>
  ULNA_INLINE static void add_motion(const JointData&, const T* v, Motion<T>& m) {
    m.linear.z += v[0];
  }
  template <Real T>
  ULNA_INLINE static std::array<T, 1> project(const JointData&, const Force<T>& f) {
    return {f.force.z};
  }
  template <Real T>
  ULNA_INLINE static std::array<Force<T>, 1> times(const JointData&, const ArticulatedInertia<T>& i) {
    return {Force<T>{i.H.column_z(), i.M.column_z()}};
  }
  template <Real T>
  ULNA_INLINE static Motion<T> swept(const JointData&, const Motion<T>& m) {
    return {Vec3<T>::zero(), {m.angular.y, -m.angular.x, T(0.0)}};
  }
  template <Real T>
  ULNA_INLINE static std::array<Force<T>, 1> times(const JointData&, const RigidInertia<T>& i) {
    return {Force<T>{{i.h.y, -i.h.x, T(0.0)}, {T(0.0), T(0.0), i.mass}}};
  }

  /// Where no turn is left, the skew part of R must vanish.
  template <class T>
  static void lock(const JointData&, const Relative<T>& x, T* out) {
    const Mat3<T>& R = x.R;
    put({T(0.5) * (R.zy - R.yz), T(0.5) * (R.xz - R.zx), T(0.5) * (R.yx - R.xy), x.d.x, x.d.y}, out);
  }
  /// The link turns as its parent does.
  static RigidInertia<double> movable(const RigidInertia<double>& a) {
    RigidInertia<double> part = RigidInertia<double>::zero();
    part.about_origin = a.about_origin;
    return part;
  }
};

}  // namespace ulna
