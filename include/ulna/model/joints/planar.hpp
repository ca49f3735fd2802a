// Planar joint: slides along x and y of the joint frame in the parent, then turns about z, its axis.
#pragma once

#include "ulna/model/joints/revolute.hpp"

namespace ulna {

struct Planar : PlainCoordinates<3> {
  static constexpr const char *name = "planar", *look = "plate";
  static constexpr JointNumber positions[] = {{" x", true}, {" y", true}, {" angle", false}};
  static constexpr JointNumber rates[] = {{" x", true}, {" y", true}, {" angle", false}};
  static constexpr int angle = 2;
  static constexpr bool has_axis = true, is_successive = true;
  static constexpr Directions directions{0, 1, 5, 3, 4, 2};

  template <Real T>
  ULNA_INLINE static Pose<T> displacement(const T* q, const Turn<T>& theta) {
    return {rotation_z(theta), {q[0], q[1], T(0.0)}};
  }
  template <Real T>
  ULNA_INLINE static void add_rates(const JointAt<T>& at, const T* v, const T* a, Rates<T>& r) {
    r.a += T(2.0) * cross(r.omega, in_body(at, v)) + in_body(at, a);  // before the turn: uses the parent's ω
    Revolute::add_rates(at, v + 2, a + 2, r);
  }
  template <Real T>
  ULNA_INLINE static void add_motion(const JointAt<T>& at, const T* v, Motion<T>& m) {
    m.linear += in_body(at, v);
    m.angular.z += v[2];
  }
  template <Real T>
  ULNA_INLINE static std::array<T, 3> project(const JointAt<T>& at, const Force<T>& f) {
    const Vec3<T> force = turn_z(at.theta, f.force);
    return {force.x, force.y, f.moment.z};
  }
  template <Real T>
  ULNA_INLINE static std::array<Force<T>, 3> times(const JointAt<T>& at, const ArticulatedInertia<T>& i) {
    const Force<T> x{i.H.column_x(), i.M.column_x()}, y{i.H.column_y(), i.M.column_y()};
    return {at.theta.c * x - at.theta.s * y, at.theta.s * x + at.theta.c * y, Revolute::times(at, i)[0]};
  }
  template <Real T>
  ULNA_INLINE static std::array<Force<T>, 3> times(const JointAt<T>& at, const RigidInertia<T>& i) {
    return times(at, ArticulatedInertia<T>::from_rigid(i));
  }

  // Directions: those of the joint frame in the parent.
  template <Real T, class X>
  ULNA_INLINE static std::array<X, 6> components(const JointAt<T>& at, const std::array<X, 6>& x) {
    return {x[0], x[1], x[2], at.theta.c * x[3] - at.theta.s * x[4], at.theta.s * x[3] + at.theta.c * x[4], x[5]};
  }
  template <Real T, class X>
  ULNA_INLINE static std::array<X, 6> compose(const JointAt<T>& at, const std::array<X, 6>& x) {
    return {x[0], x[1], x[2], at.theta.c * x[3] + at.theta.s * x[4], at.theta.c * x[4] - at.theta.s * x[3], x[5]};
  }
  template <class T>
  static void lock(const JointData&, const Relative<T>& x, T* out) {
    put({x.R.xz, x.R.yz, x.d.z}, out);
  }
  static RigidInertia<double> movable(const RigidInertia<double>& a) { return massless_movable(a); }

 private:
  /// The slides, in axes of the body.
  template <Real T>
  ULNA_INLINE static Vec3<T> in_body(const JointAt<T>& at, const T* slide) {
    return turn_z(at.theta.back(), Vec3<T>{slide[0], slide[1], T(0.0)});
  }
};

}  // namespace ulna
