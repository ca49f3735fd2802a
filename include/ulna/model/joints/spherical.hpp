// Spherical joint: q is a unit quaternion x, y, z, w; v the angular velocity in body axes.
#pragma once

#include "ulna/model/joints/joint.hpp"

namespace ulna {

struct Spherical {
  static constexpr int nq = 4, nv = 3;
  static constexpr const char* name = "spherical";

  template <Real T>
  ULNA_INLINE static void place(const JointData&, const Placement& at, const T* q, LinkPose<T>& x, Mat3<T>& full) {
    full = cast<T>(at.rotation) * rotation_of_quaternion(q[0], q[1], q[2], q[3]);
    x.p = cast<T>(at.p);
    x.full = &full;
  }
  template <Real T>
  ULNA_INLINE static void drive(const JointData&, const T* v, const T* a, Rates<T>& r) {
    const Vec3<T> w{v[0], v[1], v[2]};
    r.alpha += cross(r.omega, w) + Vec3<T>{a[0], a[1], a[2]};
    r.omega += w;
  }
  template <Real T>
  ULNA_INLINE static void add_motion(const JointData&, const T* v, Motion<T>& m) {
    m.angular += Vec3<T>{v[0], v[1], v[2]};
  }
  template <Real T>
  ULNA_INLINE static std::array<T, 3> project(const JointData&, const Force<T>& f) {
    return {f.moment.x, f.moment.y, f.moment.z};
  }
  template <Real T>
  ULNA_INLINE static std::array<Force<T>, 3> times(const JointData&, const ArticulatedInertia<T>& i) {
    return {Force<T>{i.J.column_x(), i.H.row_x()}, Force<T>{i.J.column_y(), i.H.row_y()},
            Force<T>{i.J.column_z(), i.H.row_z()}};
  }
  template <Real T>
  ULNA_INLINE static std::array<Force<T>, 3> times(const JointData& joint, const RigidInertia<T>& i) {
    return times(joint, ArticulatedInertia<T>::from_rigid(i));
  }
};

}  // namespace ulna
