// Six-vectors: motions (velocities, accelerations) and forces, angular part first.
// Linear parts belong to the origin of the frame they are written in.
#pragma once

#include "ulna/spatial/vec3.hpp"

namespace ulna {

template <class T>
struct Motion {
  Vec3<T> angular, linear;

  static ULNA_INLINE Motion zero() { return {Vec3<T>::zero(), Vec3<T>::zero()}; }
  ULNA_INLINE Motion& operator+=(const Motion& b) { return *this = *this + b; }
  ULNA_INLINE Motion& operator-=(const Motion& b) { return *this = *this - b; }

  friend ULNA_INLINE Motion operator+(const Motion& a, const Motion& b) {
    return {a.angular + b.angular, a.linear + b.linear};
  }
  friend ULNA_INLINE Motion operator-(const Motion& a, const Motion& b) {
    return {a.angular - b.angular, a.linear - b.linear};
  }
  friend ULNA_INLINE Motion operator-(const Motion& a) { return {-a.angular, -a.linear}; }
  friend ULNA_INLINE Motion operator*(const T& k, const Motion& a) { return {k * a.angular, k * a.linear}; }
};

template <class T>
struct Force {
  Vec3<T> moment, force;

  static ULNA_INLINE Force zero() { return {Vec3<T>::zero(), Vec3<T>::zero()}; }
  ULNA_INLINE Force& operator+=(const Force& b) { return *this = *this + b; }
  ULNA_INLINE Force& operator-=(const Force& b) { return *this = *this - b; }

  friend ULNA_INLINE Force operator+(const Force& a, const Force& b) {
    return {a.moment + b.moment, a.force + b.force};
  }
  friend ULNA_INLINE Force operator-(const Force& a, const Force& b) {
    return {a.moment - b.moment, a.force - b.force};
  }
  friend ULNA_INLINE Force operator*(const T& k, const Force& a) { return {k * a.moment, k * a.force}; }
};

/// Power of a force on a motion.
template <class T>
ULNA_INLINE T dot(const Force<T>& f, const Motion<T>& m) {
  return dot(f.moment, m.angular) + dot(f.force, m.linear);
}

/// v × m: how a motion fixed in a frame that moves with v changes.
template <class T>
ULNA_INLINE Motion<T> cross(const Motion<T>& v, const Motion<T>& m) {
  return {cross(v.angular, m.angular), cross(v.angular, m.linear) + cross(v.linear, m.angular)};
}

/// v ×* f: the same for a force; dual to the above.
template <class T>
ULNA_INLINE Force<T> cross(const Motion<T>& v, const Force<T>& f) {
  return {cross(v.angular, f.moment) + cross(v.linear, f.force), cross(v.angular, f.force)};
}

}  // namespace ulna
