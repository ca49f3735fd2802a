// A general 6×6 matrix from motions to forces, in 3×3 blocks.
#pragma once

#include "ulna/spatial/inertia.hpp"

namespace ulna {

template <class T>
struct SixMatrix {
  Mat3<T> aa, al, la, ll;  // [aa al; la ll], angular part first

  static ULNA_INLINE SixMatrix zero() { return {Mat3<T>::zero(), Mat3<T>::zero(), Mat3<T>::zero(), Mat3<T>::zero()}; }
  static ULNA_INLINE SixMatrix from_rigid(const RigidInertia<T>& a) {
    const Mat3<T> h = skew(a.h);
    return {full(a.about_origin), h, transpose(h), full(Sym3<T>::diagonal(a.mass))};
  }

  ULNA_INLINE SixMatrix& operator+=(const SixMatrix& b) { return *this = *this + b; }
  friend ULNA_INLINE SixMatrix operator+(const SixMatrix& a, const SixMatrix& b) {
    return {a.aa + b.aa, a.al + b.al, a.la + b.la, a.ll + b.ll};
  }
  friend ULNA_INLINE Force<T> operator*(const SixMatrix& a, const Motion<T>& m) {
    return {a.aa * m.angular + a.al * m.linear, a.la * m.angular + a.ll * m.linear};
  }

  /// X A with A = [1 0; −[d]× 1], which carries a motion over by d.
  ULNA_INLINE SixMatrix times_shift(const Vec3<T>& d) const {
    const Mat3<T> D = skew(d);
    return {aa - al * D, al, la - ll * D, ll};
  }
  /// X Ȧ with Ȧ = [0 0; −[ḋ]× 0].
  ULNA_INLINE SixMatrix times_shift_rate(const Vec3<T>& d_dot) const {
    const Mat3<T> D = T(-1.0) * skew(d_dot);
    return {al * D, Mat3<T>::zero(), ll * D, Mat3<T>::zero()};
  }
  /// Aᵀ X, which carries the force back by d.
  ULNA_INLINE SixMatrix shift_transposed(const Vec3<T>& d) const {
    const Mat3<T> D = skew(d);
    return {aa + D * la, al + D * ll, la, ll};
  }
};

}  // namespace ulna
