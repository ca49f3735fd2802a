// Free joint (a floating base): q is the position, then a unit quaternion x, y, z, w; v the
// spatial velocity in the body's own frame, angular first; a its componentwise derivative.
#pragma once

#include "ulna/model/joints/spherical.hpp"

namespace ulna {

struct Free : JointDefaults {
  static constexpr int nq = 7, nv = 6;
  static constexpr const char *name = "free", *look = "none";
  static constexpr JointNumber positions[] = {{" px", true},  {" py", true},  {" pz", true}, {" qx", false},
                                              {" qy", false}, {" qz", false}, {" qw", false}};
  static constexpr JointNumber rates[] = {{" wx", false}, {" wy", false}, {" wz", false},
                                          {" vx", true},  {" vy", true},  {" vz", true}};
  static constexpr int quaternion = 3;
  static constexpr bool closes_loops = false;
  static constexpr Directions directions{0, 1, 2, 3, 4, 5};

  template <Real T>
  ULNA_INLINE static Pose<T> displacement(const T* q, const Turn<T>&) {
    return {rotation_of_quaternion(q[3], q[4], q[5], q[6]), {q[0], q[1], q[2]}};
  }
  template <Real T>
  ULNA_INLINE static void add_rates(const JointData&, const T* v, const T* a, Rates<T>& r) {
    const Vec3<T> w{v[0], v[1], v[2]}, u{v[3], v[4], v[5]};
    // 2 ω × u from the parent's turning, w × u because u is given in axes that turn with w
    r.a += T(2.0) * cross(r.omega, u) + cross(w, u) + Vec3<T>{a[3], a[4], a[5]};
    r.alpha += cross(r.omega, w) + Vec3<T>{a[0], a[1], a[2]};
    r.omega += w;
  }
  template <Real T>
  ULNA_INLINE static void add_motion(const JointData&, const T* v, Motion<T>& m) {
    m += Motion<T>{{v[0], v[1], v[2]}, {v[3], v[4], v[5]}};
  }
  template <Real T>
  ULNA_INLINE static std::array<T, 6> project(const JointData&, const Force<T>& f) {
    return {f.moment.x, f.moment.y, f.moment.z, f.force.x, f.force.y, f.force.z};
  }
  template <Real T>
  ULNA_INLINE static std::array<Force<T>, 6> times(const JointData&, const ArticulatedInertia<T>& i) {
    return {Force<T>{i.J.column_x(), i.H.row_x()},    Force<T>{i.J.column_y(), i.H.row_y()},
            Force<T>{i.J.column_z(), i.H.row_z()},    Force<T>{i.H.column_x(), i.M.column_x()},
            Force<T>{i.H.column_y(), i.M.column_y()}, Force<T>{i.H.column_z(), i.M.column_z()}};
  }
  template <Real T>
  ULNA_INLINE static std::array<Force<T>, 6> times(const JointData& joint, const RigidInertia<T>& i) {
    return times(joint, ArticulatedInertia<T>::from_rigid(i));
  }

  template <class T>
  static void lock(const JointData&, const Relative<T>&, T*) {}
  static RigidInertia<double> movable(const RigidInertia<double>&) { return RigidInertia<double>::zero(); }

  // Local coordinates: the rotation vector as for a spherical joint, then the position itself.
  template <Real T>
  ULNA_INLINE static void retract(const double* reference, const T* x, T* q) {
    for (int k = 0; k < 3; ++k) q[k] = x[3 + k];
    Spherical::retract(reference + 3, x, q + 3);
  }
  template <Real T>
  ULNA_INLINE static void advance(const T* q, const T* step, T* to) {
    const Vec3<T> way = rotation_of_quaternion(q[3], q[4], q[5], q[6]) * Vec3<T>::load(step + 3);
    (Vec3<T>::load(q) + way).store(to);
    Spherical::advance(q + 3, step, to + 3);
  }
  static void difference(const double* from, const double* to, double* step) {
    Spherical::difference(from + 3, to + 3, step);
    const Mat3<double> R = rotation_of_quaternion(from[3], from[4], from[5], from[6]);
    transpose_times(R, Vec3<double>::load(to) - Vec3<double>::load(from)).store(step + 3);
  }
  ULNA_INLINE static void origin(const double* reference, double* x) {
    Spherical::origin(reference + 3, x);
    Vec3<double>::load(reference).store(x + 3);
  }
  template <Real T>
  ULNA_INLINE static void local_rate(const T* x, const T* q, const T* v, T* dx) {
    Spherical::local_rate(x, q + 3, v, dx);
    (rotation_of_quaternion(q[3], q[4], q[5], q[6]) * Vec3<T>::load(v + 3)).store(dx + 3);
  }
  template <Real T>
  ULNA_INLINE static void momentum(const T* x, const T* q, const T* mu, T* p) {
    Spherical::momentum(x, q + 3, mu, p);
    (rotation_of_quaternion(q[3], q[4], q[5], q[6]) * Vec3<T>::load(mu + 3)).store(p + 3);
  }
  template <Real T>
  ULNA_INLINE static void body_momentum(const T* x, const T* q, const T* p, T* mu) {
    Spherical::body_momentum(x, q + 3, p, mu);
    transpose_times(rotation_of_quaternion(q[3], q[4], q[5], q[6]), Vec3<T>::load(p + 3)).store(mu + 3);
  }
};

}  // namespace ulna
