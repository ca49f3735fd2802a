// 3×3 matrices: general (rotations among them) and symmetric.
#pragma once

#include "ulna/spatial/vec3.hpp"

namespace ulna {

template <class T>
struct Mat3 {
  T xx, xy, xz, yx, yy, yz, zx, zy, zz;

  static ULNA_INLINE Mat3 zero() {
    const T o(0.0);
    return {o, o, o, o, o, o, o, o, o};
  }
  static ULNA_INLINE Mat3 identity() {
    const T o(0.0), i(1.0);
    return {i, o, o, o, i, o, o, o, i};
  }
  static ULNA_INLINE Mat3 from_columns(const Vec3<T>& a, const Vec3<T>& b, const Vec3<T>& c) {
    return {a.x, b.x, c.x, a.y, b.y, c.y, a.z, b.z, c.z};
  }
  static ULNA_INLINE Mat3 from_rows(const Vec3<T>& a, const Vec3<T>& b, const Vec3<T>& c) {
    return {a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z};
  }

  ULNA_INLINE Vec3<T> column_x() const { return {xx, yx, zx}; }
  ULNA_INLINE Vec3<T> column_y() const { return {xy, yy, zy}; }
  ULNA_INLINE Vec3<T> column_z() const { return {xz, yz, zz}; }
  ULNA_INLINE Vec3<T> row_x() const { return {xx, xy, xz}; }
  ULNA_INLINE Vec3<T> row_y() const { return {yx, yy, yz}; }
  ULNA_INLINE Vec3<T> row_z() const { return {zx, zy, zz}; }

  ULNA_INLINE Mat3& operator+=(const Mat3& b) { return *this = *this + b; }

  friend ULNA_INLINE Mat3 operator+(const Mat3& a, const Mat3& b) {
    return {a.xx + b.xx, a.xy + b.xy, a.xz + b.xz, a.yx + b.yx, a.yy + b.yy,
            a.yz + b.yz, a.zx + b.zx, a.zy + b.zy, a.zz + b.zz};
  }
  friend ULNA_INLINE Mat3 operator-(const Mat3& a, const Mat3& b) {
    return {a.xx - b.xx, a.xy - b.xy, a.xz - b.xz, a.yx - b.yx, a.yy - b.yy,
            a.yz - b.yz, a.zx - b.zx, a.zy - b.zy, a.zz - b.zz};
  }
  friend ULNA_INLINE Mat3 operator-(const Mat3& a) {
    return {-a.xx, -a.xy, -a.xz, -a.yx, -a.yy, -a.yz, -a.zx, -a.zy, -a.zz};
  }
  friend ULNA_INLINE Mat3 operator*(const T& k, const Mat3& a) {
    return {k * a.xx, k * a.xy, k * a.xz, k * a.yx, k * a.yy, k * a.yz, k * a.zx, k * a.zy, k * a.zz};
  }
  friend ULNA_INLINE Vec3<T> operator*(const Mat3& a, const Vec3<T>& b) {
    return {dot(a.row_x(), b), dot(a.row_y(), b), dot(a.row_z(), b)};
  }
  friend ULNA_INLINE Mat3 operator*(const Mat3& a, const Mat3& b) {
    return from_columns(a * b.column_x(), a * b.column_y(), a * b.column_z());
  }
};

template <class T>
ULNA_INLINE Mat3<T> transpose(const Mat3<T>& a) {
  return {a.xx, a.yx, a.zx, a.xy, a.yy, a.zy, a.xz, a.yz, a.zz};
}

/// aᵀ b without forming the transpose.
template <class T>
ULNA_INLINE Vec3<T> transpose_times(const Mat3<T>& a, const Vec3<T>& b) {
  return {dot(a.column_x(), b), dot(a.column_y(), b), dot(a.column_z(), b)};
}

/// The matrix of a ×.
template <class T>
ULNA_INLINE Mat3<T> skew(const Vec3<T>& a) {
  const T o(0.0);
  return {o, -a.z, a.y, a.z, o, -a.x, -a.y, a.x, o};
}

/// [a]× M
template <class T>
ULNA_INLINE Mat3<T> cross(const Vec3<T>& a, const Mat3<T>& m) {
  return Mat3<T>::from_columns(cross(a, m.column_x()), cross(a, m.column_y()), cross(a, m.column_z()));
}

/// [a]× [b]× = b aᵀ − (a·b) 1
template <class T>
ULNA_INLINE Mat3<T> double_cross(const Vec3<T>& a, const Vec3<T>& b) {
  const T xx = a.x * b.x, yy = a.y * b.y, zz = a.z * b.z;
  return {-(yy + zz), a.y * b.x, a.z * b.x, a.x * b.y, -(xx + zz), a.z * b.y, a.x * b.z, a.y * b.z, -(xx + yy)};
}

template <class T>
ULNA_INLINE Mat3<T> cast(const Mat3<double>& a) {
  return {T(a.xx), T(a.xy), T(a.xz), T(a.yx), T(a.yy), T(a.yz), T(a.zx), T(a.zy), T(a.zz)};
}

template <class T>
struct Sym3 {
  T xx, yy, zz, xy, xz, yz;

  static ULNA_INLINE Sym3 zero() {
    const T o(0.0);
    return {o, o, o, o, o, o};
  }
  static ULNA_INLINE Sym3 diagonal(const T& k) {
    const T o(0.0);
    return {k, k, k, o, o, o};
  }

  ULNA_INLINE Vec3<T> column_x() const { return {xx, xy, xz}; }
  ULNA_INLINE Vec3<T> column_y() const { return {xy, yy, yz}; }
  ULNA_INLINE Vec3<T> column_z() const { return {xz, yz, zz}; }

  ULNA_INLINE Sym3& operator+=(const Sym3& b) { return *this = *this + b; }

  friend ULNA_INLINE Sym3 operator+(const Sym3& a, const Sym3& b) {
    return {a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz};
  }
  friend ULNA_INLINE Sym3 operator-(const Sym3& a, const Sym3& b) {
    return {a.xx - b.xx, a.yy - b.yy, a.zz - b.zz, a.xy - b.xy, a.xz - b.xz, a.yz - b.yz};
  }
  friend ULNA_INLINE Vec3<T> operator*(const Sym3& a, const Vec3<T>& b) {
    return {a.xx * b.x + a.xy * b.y + a.xz * b.z, a.xy * b.x + a.yy * b.y + a.yz * b.z,
            a.xz * b.x + a.yz * b.y + a.zz * b.z};
  }
};

template <class T>
ULNA_INLINE Mat3<T> full(const Sym3<T>& a) {
  return {a.xx, a.xy, a.xz, a.xy, a.yy, a.yz, a.xz, a.yz, a.zz};
}

/// The symmetric part of a matrix that is symmetric but for rounding.
template <class T>
ULNA_INLINE Sym3<T> symmetric(const Mat3<T>& a) {
  const T half(0.5);
  return {a.xx, a.yy, a.zz, half * (a.xy + a.yx), half * (a.xz + a.zx), half * (a.yz + a.zy)};
}

template <class T, class C>
ULNA_INLINE Sym3<T> cast(const Sym3<C>& a) {
  return {T(a.xx), T(a.yy), T(a.zz), T(a.xy), T(a.xz), T(a.yz)};
}

}  // namespace ulna
