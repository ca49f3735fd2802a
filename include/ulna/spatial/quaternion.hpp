// Unit quaternions x, y, z, w, and their way to and from rotation matrices.
#pragma once

#include "ulna/spatial/rotation.hpp"

namespace ulna {

template <class T>
struct Quaternion {
  T x, y, z, w;

  static ULNA_INLINE Quaternion identity() { return {T(0.0), T(0.0), T(0.0), T(1.0)}; }

  friend ULNA_INLINE Quaternion operator*(const Quaternion& a, const Quaternion& b) {
    return {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
            a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
  }
};

template <class T>
ULNA_INLINE T dot(const Quaternion<T>& a, const Quaternion<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

template <class T>
ULNA_INLINE Quaternion<T> select_quaternion(const auto& mask, const Quaternion<T>& a, const Quaternion<T>& b) {
  return {select(mask, a.x, b.x), select(mask, a.y, b.y), select(mask, a.z, b.z), select(mask, a.w, b.w)};
}

template <class T>
ULNA_INLINE Mat3<T> rotation_of(const Quaternion<T>& a) {
  return rotation_of_quaternion(a.x, a.y, a.z, a.w);
}

/// Shepperd's method: of the four candidates the one with the largest pivot, so that nothing is
/// divided by a small number anywhere, half turns included.
template <Real T>
Quaternion<T> quaternion_of(const Mat3<T>& r) {
  const T one(1.0);
  const T tx = one + r.xx - r.yy - r.zz, ty = one - r.xx + r.yy - r.zz;
  const T tz = one - r.xx - r.yy + r.zz, tw = one + r.xx + r.yy + r.zz;
  const Quaternion<T> qx{tx, r.xy + r.yx, r.xz + r.zx, r.zy - r.yz};
  const Quaternion<T> qy{r.xy + r.yx, ty, r.yz + r.zy, r.xz - r.zx};
  const Quaternion<T> qz{r.xz + r.zx, r.yz + r.zy, tz, r.yx - r.xy};
  const Quaternion<T> qw{r.zy - r.yz, r.xz - r.zx, r.yx - r.xy, tw};
  const auto y_over_x = tx < ty;
  const Quaternion<T> xy = select_quaternion(y_over_x, qy, qx);
  const T txy = select(y_over_x, ty, tx);
  const auto w_over_z = tz < tw;
  const Quaternion<T> zw = select_quaternion(w_over_z, qw, qz);
  const T tzw = select(w_over_z, tw, tz);
  const Quaternion<T> best = select_quaternion(txy < tzw, zw, xy);
  const T scale = one / sqrt(dot(best, best));
  return {scale * best.x, scale * best.y, scale * best.z, scale * best.w};
}

}  // namespace ulna
