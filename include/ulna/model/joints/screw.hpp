// Screw joint: turns about z and advances along it by its pitch, in metres per radian. A joint that follows another one
// is a screw for the recursions, whatever its kind: it turns by `turn` and advances by `pitch` per unit of the other's
// coordinate.
#pragma once

#include "ulna/model/joints/prismatic.hpp"
#include "ulna/model/joints/revolute.hpp"

namespace ulna {

struct Screw : PlainCoordinates<1> {
  static constexpr const char *name = "screw", *look = "hexagon";
  static constexpr JointNumber positions[] = {{"", false}}, rates[] = {{"", false}};
  static constexpr int angle = 0;
  static constexpr bool has_axis = true, is_axial = true, has_pitch = true;
  static constexpr Directions directions{0, 1, 3, 4, 5, 2};

  template <Real T>
  ULNA_INLINE static void place(const JointData& joint, const Placement& at, const T* q, LinkPose<T>& x) {
    x.p = cast<T>(at.p) + (T(joint.pitch) * q[0]) * cast<T>(at.rotation.column_z());
  }
  template <Real T>
  ULNA_INLINE static void add_rates(const JointData& joint, const T* v, const T* a, Rates<T>& r) {
    const T slide_v = T(joint.pitch) * v[0], slide_a = T(joint.pitch) * a[0];
    const T turn_v = T(joint.turn) * v[0], turn_a = T(joint.turn) * a[0];
    Prismatic::add_rates(joint, &slide_v, &slide_a, r);  // before the turn: uses the parent's ω
    Revolute::add_rates(joint, &turn_v, &turn_a, r);
  }
  template <Real T>
  ULNA_INLINE static void add_motion(const JointData& joint, const T* v, Motion<T>& m) {
    m.angular.z += T(joint.turn) * v[0];
    m.linear.z += T(joint.pitch) * v[0];
  }
  template <Real T>
  ULNA_INLINE static std::array<T, 1> project(const JointData& joint, const Force<T>& f) {
    return {T(joint.turn) * f.moment.z + T(joint.pitch) * f.force.z};
  }
  template <Real T>
  ULNA_INLINE static Motion<T> swept(const JointData& joint, const Motion<T>& m) {
    return T(joint.turn) * Revolute::swept(joint, m) + T(joint.pitch) * Prismatic::swept(joint, m);
  }
  template <Real T, class Inertia>
  ULNA_INLINE static std::array<Force<T>, 1> times_any(const JointData& joint, const Inertia& i) {
    return {T(joint.turn) * Revolute::times(joint, i)[0] + T(joint.pitch) * Prismatic::times(joint, i)[0]};
  }
  template <Real T>
  ULNA_INLINE static std::array<Force<T>, 1> times(const JointData& joint, const ArticulatedInertia<T>& i) {
    return times_any<T>(joint, i);
  }
  template <Real T>
  ULNA_INLINE static std::array<Force<T>, 1> times(const JointData& joint, const RigidInertia<T>& i) {
    return times_any<T>(joint, i);
  }

  // Turning and sliding are coupled: the locked force along z brings the moment −pitch with it, which takes its power
  // away, and the free direction stays the moment about z. The two are dual and not orthonormal then.
  template <Real T, class X>
  ULNA_INLINE static std::array<X, 6> components(const JointAt<T>& at, std::array<X, 6> x) {
    x[5] = x[5] - T(at.pitch) * x[2];
    return x;
  }
  template <Real T, class X>
  ULNA_INLINE static std::array<X, 6> compose(const JointAt<T>& at, std::array<X, 6> x) {
    x[2] = x[2] - T(at.pitch) * x[5];
    return x;
  }
  template <class T>
  static void lock(const JointData& joint, const Relative<T>& x, T* out) {
    put({x.R.xz, x.R.yz, x.d.x, x.d.y, x.d.z - T(joint.pitch) * x.turn}, out);
  }
  static RigidInertia<double> movable(const RigidInertia<double>& a) { return massless_movable(a); }
};

}  // namespace ulna
