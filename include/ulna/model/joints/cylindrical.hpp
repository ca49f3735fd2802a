// Cylindrical joint: turns about z and slides along it. q is the angle, then the way.
#pragma once

#include "ulna/model/joints/prismatic.hpp"
#include "ulna/model/joints/revolute.hpp"

namespace ulna {

struct Cylindrical : PlainCoordinates<2> {
  static constexpr const char *name = "cylindrical", *look = "cylinder";
  static constexpr JointNumber positions[] = {{" angle", false}, {" slide", true}};
  static constexpr JointNumber rates[] = {{" angle", false}, {" slide", true}};
  static constexpr int angle = 0;
  static constexpr bool has_axis = true, is_axial = true;
  static constexpr Directions directions{0, 1, 3, 4, 2, 5};

  template <Real T>
  ULNA_INLINE static void place(const JointData& joint, const Placement& at, const T* q, LinkPose<T>& x) {
    Prismatic::place(joint, at, q + 1, x);
  }
  template <Real T>
  ULNA_INLINE static Pose<T> displacement(const T* q, const Turn<T>& theta) {
    return {rotation_z(theta), {T(0.0), T(0.0), q[1]}};
  }
  template <Real T>
  ULNA_INLINE static void add_rates(const JointData& joint, const T* v, const T* a, Rates<T>& r) {
    Prismatic::add_rates(joint, v + 1, a + 1, r);  // before the turn: uses the parent's ω
    Revolute::add_rates(joint, v, a, r);
  }
  template <Real T>
  ULNA_INLINE static void add_motion(const JointData&, const T* v, Motion<T>& m) {
    m.angular.z += v[0];
    m.linear.z += v[1];
  }
  template <Real T>
  ULNA_INLINE static std::array<T, 2> project(const JointData&, const Force<T>& f) {
    return {f.moment.z, f.force.z};
  }
  template <Real T>
  ULNA_INLINE static std::array<Force<T>, 2> times(const JointData& joint, const ArticulatedInertia<T>& i) {
    return {Revolute::times(joint, i)[0], Prismatic::times(joint, i)[0]};
  }
  template <Real T>
  ULNA_INLINE static std::array<Force<T>, 2> times(const JointData& joint, const RigidInertia<T>& i) {
    return {Revolute::times(joint, i)[0], Prismatic::times(joint, i)[0]};
  }

  template <class T>
  static void lock(const JointData&, const Relative<T>& x, T* out) {
    put({x.R.xz, x.R.yz, x.d.x, x.d.y}, out);
  }
  static RigidInertia<double> movable(const RigidInertia<double>& a) { return massless_movable(a); }
};

}  // namespace ulna
