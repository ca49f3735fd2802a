// Spherical joint: q is a unit quaternion x, y, z, w; v the angular velocity in body axes.
#pragma once

#include "ulna/model/joints/joint.hpp"
#include "ulna/spatial/lie.hpp"

namespace ulna {

struct Spherical : JointDefaults {
  static constexpr int nq = 4, nv = 3;
  static constexpr const char *name = "spherical", *look = "ball";
  static constexpr JointNumber positions[] = {{" x", false}, {" y", false}, {" z", false}, {" w", false}};
  static constexpr JointNumber rates[] = {{" wx", false}, {" wy", false}, {" wz", false}};
  static constexpr int quaternion = 0;
  static constexpr Directions directions{3, 4, 5, 0, 1, 2};

  template <Real T>
  ULNA_INLINE static Pose<T> displacement(const T* q, const Turn<T>&) {
    return {rotation_of_quaternion(q[0], q[1], q[2], q[3]), Vec3<T>::zero()};
  }
  template <Real T>
  ULNA_INLINE static void add_rates(const JointData&, const T* v, const T* a, Rates<T>& r) {
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

  template <class T>
  static void lock(const JointData&, const Relative<T>& x, T* out) {
    put({x.d.x, x.d.y, x.d.z}, out);
  }
  /// A point at the centre.
  static RigidInertia<double> movable(const RigidInertia<double>& a) {
    RigidInertia<double> part = RigidInertia<double>::zero();
    part.mass = a.mass;
    return part;
  }

  // Local coordinates: the rotation vector x of the turn exp(x) that leads from the reference to q.
  template <Real T>
  ULNA_INLINE static void retract(const double* reference, const T* x, T* q) {
    const Quaternion<T> r{T(reference[0]), T(reference[1]), T(reference[2]), T(reference[3])};
    const Quaternion<T> turned = r * exp_quaternion(Vec3<T>::load(x));
    q[0] = turned.x;
    q[1] = turned.y;
    q[2] = turned.z;
    q[3] = turned.w;
  }
  template <Real T>
  ULNA_INLINE static void advance(const T* q, const T* step, T* to) {
    const Quaternion<T> turned = Quaternion<T>{q[0], q[1], q[2], q[3]} * exp_quaternion(Vec3<T>::load(step));
    const T scale = T(1.0) / sqrt(dot(turned, turned));  // takes rounding off
    to[0] = scale * turned.x;
    to[1] = scale * turned.y;
    to[2] = scale * turned.z;
    to[3] = scale * turned.w;
  }
  static void difference(const double* from, const double* to, double* step) {
    const Quaternion<double> back{-from[0], -from[1], -from[2], from[3]};
    const Quaternion<double> turn = back * Quaternion<double>{to[0], to[1], to[2], to[3]};
    log_rotation(rotation_of(turn)).store(step);
  }
  ULNA_INLINE static void origin(const double*, double* x) { Vec3<double>::zero().store(x); }
  template <Real T>
  ULNA_INLINE static void local_rate(const T* x, const T*, const T* v, T* dx) {
    (inverse_body_jacobian(Vec3<T>::load(x)) * Vec3<T>::load(v)).store(dx);
  }
  /// p = Jᵀ μ, since μ·v = p·ẋ.
  template <Real T>
  ULNA_INLINE static void momentum(const T* x, const T*, const T* mu, T* p) {
    transpose_times(body_jacobian(Vec3<T>::load(x)), Vec3<T>::load(mu)).store(p);
  }
  template <Real T>
  ULNA_INLINE static void body_momentum(const T* x, const T*, const T* p, T* mu) {
    transpose_times(inverse_body_jacobian(Vec3<T>::load(x)), Vec3<T>::load(p)).store(mu);
  }
};

}  // namespace ulna
