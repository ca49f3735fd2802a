// Vectors of three components, over any scalar.
//
// Written by hand, like all of spatial/, because Eigen's expressions on pack and tracing scalars
// compile six times slower and need a fifth more operations (doc/adr/0002).
#pragma once

#include "ulna/real/real.hpp"

namespace ulna {

template <class T>
struct Vec3 {
  T x, y, z;

  static ULNA_INLINE Vec3 zero() { return {T(0.0), T(0.0), T(0.0)}; }
  static ULNA_INLINE Vec3 load(const T* from) { return {from[0], from[1], from[2]}; }
  ULNA_INLINE void store(T* to) const {
    to[0] = x;
    to[1] = y;
    to[2] = z;
  }

  ULNA_INLINE Vec3& operator+=(const Vec3& b) { return *this = *this + b; }
  ULNA_INLINE Vec3& operator-=(const Vec3& b) { return *this = *this - b; }

  friend ULNA_INLINE Vec3 operator+(const Vec3& a, const Vec3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend ULNA_INLINE Vec3 operator-(const Vec3& a, const Vec3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend ULNA_INLINE Vec3 operator-(const Vec3& a) { return {-a.x, -a.y, -a.z}; }
  friend ULNA_INLINE Vec3 operator*(const T& k, const Vec3& a) { return {k * a.x, k * a.y, k * a.z}; }
};

template <class T>
ULNA_INLINE T dot(const Vec3<T>& a, const Vec3<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

template <class T>
ULNA_INLINE Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

template <class T>
ULNA_INLINE T norm(const Vec3<T>& a) {
  return sqrt(dot(a, a));
}

/// A robot's constant in the scalar of the computation. Constants stay double, but for lanes that
/// hold different links: there they have the scalar already.
template <class T, class C>
ULNA_INLINE Vec3<T> cast(const Vec3<C>& a) {
  return {T(a.x), T(a.y), T(a.z)};
}

}  // namespace ulna
