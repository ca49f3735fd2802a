// Turning vectors and tensors: about x or z by a given cosine and sine, and by a full matrix.
//
// A body's frame is a turn about x by a constant and about z by the joint (model/placement.hpp).
// Applied one after the other to a symmetric tensor they cost 16 multiplications; a full matrix
// costs 45.
#pragma once

#include <cmath>

#include "ulna/real/exact_sincos.hpp"
#include "ulna/spatial/mat3.hpp"

namespace ulna {

/// Cosine and sine of one angle.
template <class T>
struct Turn {
  T c, s;
  ULNA_INLINE Turn back() const { return {c, -s}; }
};

/// Of a robot's constant angle.
inline Turn<double> exact_turn(double radians) {
  const SinCos<double> t = exact_sincos(radians);
  return {t.cos, t.sin};
}

template <class T>
ULNA_INLINE Vec3<T> turn_z(const Turn<T>& t, const Vec3<T>& a) {
  return {t.c * a.x - t.s * a.y, t.s * a.x + t.c * a.y, a.z};
}

template <class T>
ULNA_INLINE Vec3<T> turn_x(const Turn<T>& t, const Vec3<T>& a) {
  return {a.x, t.c * a.y - t.s * a.z, t.s * a.y + t.c * a.z};
}

/// Rz S Rzᵀ. With u = s(xx − yy) + 2c xy the turned 2×2 block is xx − s u, yy + s u, c u − xy.
template <class T>
ULNA_INLINE Sym3<T> turn_z(const Turn<T>& t, const Sym3<T>& a) {
  const T u = t.s * (a.xx - a.yy) + t.c * (a.xy + a.xy);
  const T su = t.s * u;
  return {a.xx - su, a.yy + su, a.zz, t.c * u - a.xy, t.c * a.xz - t.s * a.yz, t.s * a.xz + t.c * a.yz};
}

template <class T>
ULNA_INLINE Sym3<T> turn_x(const Turn<T>& t, const Sym3<T>& a) {
  const T u = t.s * (a.yy - a.zz) + t.c * (a.yz + a.yz);
  const T su = t.s * u;
  return {a.xx, a.yy - su, a.zz + su, t.c * a.xy - t.s * a.xz, t.s * a.xy + t.c * a.xz, t.c * u - a.yz};
}

/// Rz A Rzᵀ: the block's antisymmetric part does not change, so the same u serves.
template <class T>
ULNA_INLINE Mat3<T> turn_z(const Turn<T>& t, const Mat3<T>& a) {
  const T u = t.s * (a.xx - a.yy) + t.c * (a.xy + a.yx);
  const T su = t.s * u;
  const T cu = t.c * u;
  return {a.xx - su,
          cu - a.yx,
          t.c * a.xz - t.s * a.yz,
          cu - a.xy,
          a.yy + su,
          t.s * a.xz + t.c * a.yz,
          t.c * a.zx - t.s * a.zy,
          t.s * a.zx + t.c * a.zy,
          a.zz};
}

template <class T>
ULNA_INLINE Mat3<T> turn_x(const Turn<T>& t, const Mat3<T>& a) {
  const T u = t.s * (a.yy - a.zz) + t.c * (a.yz + a.zy);
  const T su = t.s * u;
  const T cu = t.c * u;
  return {a.xx,
          t.c * a.xy - t.s * a.xz,
          t.s * a.xy + t.c * a.xz,
          t.c * a.yx - t.s * a.zx,
          a.yy - su,
          cu - a.zy,
          t.s * a.yx + t.c * a.zx,
          cu - a.yz,
          a.zz + su};
}

template <class T>
ULNA_INLINE Mat3<T> rotation_x(const Turn<T>& t) {
  const T o(0.0), i(1.0);
  return {i, o, o, o, t.c, -t.s, o, t.s, t.c};
}

template <class T>
ULNA_INLINE Mat3<T> rotation_y(const Turn<T>& t) {
  const T o(0.0), i(1.0);
  return {t.c, o, t.s, o, i, o, -t.s, o, t.c};
}

template <class T>
ULNA_INLINE Mat3<T> rotation_z(const Turn<T>& t) {
  const T o(0.0), i(1.0);
  return {t.c, -t.s, o, t.s, t.c, o, o, o, i};
}

/// Roll, pitch and yaw as in URDF: Rz(yaw) Ry(pitch) Rx(roll).
inline Mat3<double> rotation_of_rpy(const Vec3<double>& rpy) {
  return rotation_z(exact_turn(rpy.z)) * rotation_y(exact_turn(rpy.y)) * rotation_x(exact_turn(rpy.x));
}

/// The inverse of the above, pitch in [−π/2, π/2]. Roll is read after the yaw is undone, so that
/// the product is right even near pitch ±π/2, where the two are not determined one by one.
inline Vec3<double> rpy_of_rotation(const Mat3<double>& R) {
  const double c = std::hypot(R.xx, R.yx);
  const double yaw = c > 1e-12 ? std::atan2(R.yx, R.xx) : 0.0;
  const Mat3<double> rest = transpose(rotation_z(exact_turn(yaw))) * R;
  return {std::atan2(-rest.yz, rest.yy), std::atan2(-R.zx, c), yaw};
}

/// R S Rᵀ for a full rotation.
template <class T>
ULNA_INLINE Sym3<T> rotate(const Mat3<T>& r, const Sym3<T>& a) {
  const Mat3<T> ra = r * full(a);
  return {dot(ra.row_x(), r.row_x()), dot(ra.row_y(), r.row_y()), dot(ra.row_z(), r.row_z()),
          dot(ra.row_x(), r.row_y()), dot(ra.row_x(), r.row_z()), dot(ra.row_y(), r.row_z())};
}

template <class T>
ULNA_INLINE Mat3<T> rotate(const Mat3<T>& r, const Mat3<T>& a) {
  return r * a * transpose(r);
}

/// The rotation of a unit quaternion x, y, z, w.
template <class T>
ULNA_INLINE Mat3<T> rotation_of_quaternion(const T& x, const T& y, const T& z, const T& w) {
  const T two(2.0), one(1.0);
  return {one - two * (y * y + z * z), two * (x * y - z * w),       two * (x * z + y * w),
          two * (x * y + z * w),       one - two * (x * x + z * z), two * (y * z - x * w),
          two * (x * z - y * w),       two * (y * z + x * w),       one - two * (x * x + y * y)};
}

}  // namespace ulna
