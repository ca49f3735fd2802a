// Pose: where a frame stands in another one; x_outer = R x_inner + p.
#pragma once

#include "ulna/spatial/inertia.hpp"
#include "ulna/spatial/rotation.hpp"

namespace ulna {

template <class T>
struct Pose {
  Mat3<T> R;
  Vec3<T> p;

  static ULNA_INLINE Pose identity() { return {Mat3<T>::identity(), Vec3<T>::zero()}; }

  friend ULNA_INLINE Pose operator*(const Pose& a, const Pose& b) { return {a.R * b.R, a.R * b.p + a.p}; }
  friend ULNA_INLINE Vec3<T> operator*(const Pose& a, const Vec3<T>& x) { return a.R * x + a.p; }

  ULNA_INLINE Motion<T> to_outer(const Motion<T>& m) const {
    const Vec3<T> w = R * m.angular;
    return {w, R * m.linear + cross(p, w)};
  }
  ULNA_INLINE Motion<T> to_inner(const Motion<T>& m) const {
    return {transpose_times(R, m.angular), transpose_times(R, m.linear - cross(p, m.angular))};
  }
  ULNA_INLINE Force<T> to_outer(const Force<T>& f) const {
    const Vec3<T> force = R * f.force;
    return {R * f.moment + cross(p, force), force};
  }
  ULNA_INLINE Force<T> to_inner(const Force<T>& f) const {
    return {transpose_times(R, f.moment - cross(p, f.force)), transpose_times(R, f.force)};
  }
  ULNA_INLINE RigidInertia<T> to_outer(const RigidInertia<T>& a) const {
    return shift(RigidInertia<T>{a.mass, R * a.h, rotate(R, a.about_origin)}, p);
  }
  ULNA_INLINE ArticulatedInertia<T> to_outer(const ArticulatedInertia<T>& a) const {
    return shift(ArticulatedInertia<T>{rotate(R, a.J), rotate(R, a.H), rotate(R, a.M)}, p);
  }
};

template <class T>
ULNA_INLINE Pose<T> inverse(const Pose<T>& a) {
  return {transpose(a.R), -transpose_times(a.R, a.p)};
}

template <class T>
ULNA_INLINE Pose<T> cast(const Pose<double>& a) {
  return {cast<T>(a.R), cast<T>(a.p)};
}

}  // namespace ulna
