// Prismatic joint: slides along z.
#pragma once

#include "ulna/model/joints/joint.hpp"

namespace ulna {

struct Prismatic : PlainCoordinates<1> {
  static constexpr const char* name = "prismatic";

  template <Real T>
  ULNA_INLINE static void place(const JointData&, const Placement& at, const T* q, LinkPose<T>& x, Mat3<T>&) {
    x.p = cast<T>(at.p) + q[0] * cast<T>(at.rotation.column_z());
  }
  template <Real T>
  ULNA_INLINE static void drive(const JointData&, const T* v, const T* a, Rates<T>& r) {
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
  ULNA_INLINE static std::array<Force<T>, 1> times(const JointData&, const RigidInertia<T>& i) {
    return {Force<T>{{i.h.y, -i.h.x, T(0.0)}, {T(0.0), T(0.0), i.mass}}};
  }
};

}  // namespace ulna
