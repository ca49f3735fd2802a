// Universal joint: turns about x of the joint frame in the parent, then about y of the joint frame in the child, which
// the first turn has moved. In body axes the first axis is (cos θ, 0, sin θ), with θ the second angle.
#pragma once

#include "ulna/model/joints/joint.hpp"
#include "ulna/real/sincos.hpp"

namespace ulna {

struct Universal : PlainCoordinates<2> {
  static constexpr const char *name = "universal", *look = "ball";
  static constexpr JointNumber positions[] = {{" x", false}, {" y", false}}, rates[] = {{" x", false}, {" y", false}};
  static constexpr int angle = 1;
  static constexpr bool is_successive = true;
  static constexpr Directions directions{3, 4, 5, 2, 0, 1};

  template <Real T>
  ULNA_INLINE static Pose<T> displacement(const T* q, const Turn<T>& theta) {
    const auto first = sincos(q[0]);
    return {rotation_x(Turn<T>{first.cos, first.sin}) * rotation_y(theta), Vec3<T>::zero()};
  }
  template <Real T>
  ULNA_INLINE static void add_rates(const JointAt<T>& at, const T* v, const T* a, Rates<T>& r) {
    const Vec3<T> first{at.theta.c, T(0.0), at.theta.s};
    const Vec3<T> turning = v[0] * first;
    r.alpha += cross(r.omega, turning) + a[0] * first;
    r.omega += turning;
    r.alpha += Vec3<T>{-(r.omega.z * v[1]), a[1], r.omega.x * v[1]};
    r.omega.y += v[1];
  }
  template <Real T>
  ULNA_INLINE static void add_motion(const JointAt<T>& at, const T* v, Motion<T>& m) {
    m.angular += Vec3<T>{at.theta.c * v[0], v[1], at.theta.s * v[0]};
  }
  template <Real T>
  ULNA_INLINE static std::array<T, 2> project(const JointAt<T>& at, const Force<T>& f) {
    return {at.theta.c * f.moment.x + at.theta.s * f.moment.z, f.moment.y};
  }
  template <Real T>
  ULNA_INLINE static std::array<Force<T>, 2> times(const JointAt<T>& at, const ArticulatedInertia<T>& i) {
    const Force<T> x{i.J.column_x(), i.H.row_x()}, z{i.J.column_z(), i.H.row_z()};
    return {at.theta.c * x + at.theta.s * z, Force<T>{i.J.column_y(), i.H.row_y()}};
  }
  template <Real T>
  ULNA_INLINE static std::array<Force<T>, 2> times(const JointAt<T>& at, const RigidInertia<T>& i) {
    return times(at, ArticulatedInertia<T>::from_rigid(i));
  }

  // Directions: the first axis, y, and the third that is perpendicular to both.
  template <Real T, class X>
  ULNA_INLINE static std::array<X, 6> components(const JointAt<T>& at, const std::array<X, 6>& x) {
    return {at.theta.c * x[0] + at.theta.s * x[2], x[1], at.theta.c * x[2] - at.theta.s * x[0], x[3], x[4], x[5]};
  }
  template <Real T, class X>
  ULNA_INLINE static std::array<X, 6> compose(const JointAt<T>& at, const std::array<X, 6>& x) {
    return {at.theta.c * x[0] - at.theta.s * x[2], x[1], at.theta.c * x[2] + at.theta.s * x[0], x[3], x[4], x[5]};
  }
  template <class T>
  static void lock(const JointData&, const Relative<T>& x, T* out) {
    put({x.R.xy, x.d.x, x.d.y, x.d.z}, out);
  }
  /// Seen from the child the turn about y comes first, and both go backwards.
  static Mat3<double> turned_round() { return {0, -1, 0, -1, 0, 0, 0, 0, -1}; }
  /// A point at the centre.
  static RigidInertia<double> movable(const RigidInertia<double>& a) {
    RigidInertia<double> part = RigidInertia<double>::zero();
    part.mass = a.mass;
    return part;
  }
};

}  // namespace ulna
