// Inertias: of a rigid body (10 numbers) and of an articulated body (21).
#pragma once

#include "ulna/spatial/mat3.hpp"
#include "ulna/spatial/motion.hpp"

namespace ulna {

/// Mass, first moment h = m c and inertia about the frame's origin.
template <class T>
struct RigidInertia {
  T mass;
  Vec3<T> h;
  Sym3<T> about_origin;

  static ULNA_INLINE RigidInertia zero() { return {T(0.0), Vec3<T>::zero(), Sym3<T>::zero()}; }
  /// From the usual data: mass, mass centre, inertia about the mass centre.
  static RigidInertia from_centre(const T& m, const Vec3<T>& c, const Sym3<T>& central) {
    return {m, m * c, central + m_skew_squared(m, c)};
  }

  /// Inertia about the mass centre, which is at c.
  ULNA_INLINE Sym3<T> about_centre(const Vec3<T>& c) const { return about_origin - m_skew_squared(mass, c); }

  ULNA_INLINE RigidInertia& operator+=(const RigidInertia& b) {
    mass += b.mass;
    h += b.h;
    about_origin += b.about_origin;
    return *this;
  }

  friend ULNA_INLINE Force<T> operator*(const RigidInertia& a, const Motion<T>& v) {
    return {a.about_origin * v.angular + cross(a.h, v.linear), a.mass * v.linear - cross(a.h, v.angular)};
  }

  /// −m [c]×[c]×: what a point mass at c adds.
  static ULNA_INLINE Sym3<T> m_skew_squared(const T& m, const Vec3<T>& c) {
    const Vec3<T> d = m * c;
    return {d.y * c.y + d.z * c.z, d.x * c.x + d.z * c.z, d.x * c.x + d.y * c.y,
            -(d.x * c.y),          -(d.x * c.z),          -(d.y * c.z)};
  }
};

/// The same body about the origin that sees this one at p.
template <class T>
ULNA_INLINE RigidInertia<T> shift(const RigidInertia<T>& a, const Vec3<T>& p) {
  // I' = I − [p]×[h]× − [h']×[p]×, with h' = h + m p
  const Vec3<T> h = a.h + a.mass * p;
  const Vec3<T> s = a.h + h;  // p·(h + h') and the outer products are symmetric in the two
  const T px = p.x * s.x, py = p.y * s.y, pz = p.z * s.z;
  const T half(0.5);
  const Vec3<T> k = half * s;
  return {a.mass, h,
          Sym3<T>{a.about_origin.xx + py + pz, a.about_origin.yy + px + pz, a.about_origin.zz + px + py,
                  a.about_origin.xy - (p.x * k.y + p.y * k.x), a.about_origin.xz - (p.x * k.z + p.z * k.x),
                  a.about_origin.yz - (p.y * k.z + p.z * k.y)}};
}

template <class T, class C>
ULNA_INLINE RigidInertia<T> cast(const RigidInertia<C>& a) {
  return {T(a.mass), cast<T>(a.h), cast<T>(a.about_origin)};
}

/// ∫ r rᵀ dm from the inertia about the same point: ½ tr(I) 1 − I.
template <class T>
ULNA_INLINE Sym3<T> second_moments(const Sym3<T>& I) {
  return Sym3<T>::diagonal(T(0.5) * (I.xx + I.yy + I.zz)) - I;
}

/// f = [J H; Hᵀ M] a: what a body feels like with its outer joints free to give way.
template <class T>
struct ArticulatedInertia {
  Sym3<T> J;
  Mat3<T> H;
  Sym3<T> M;

  static ULNA_INLINE ArticulatedInertia from_rigid(const RigidInertia<T>& a) {
    return {a.about_origin, skew(a.h), Sym3<T>::diagonal(a.mass)};
  }

  friend ULNA_INLINE ArticulatedInertia operator+(const ArticulatedInertia& a, const ArticulatedInertia& b) {
    return {a.J + b.J, a.H + b.H, a.M + b.M};
  }
  friend ULNA_INLINE ArticulatedInertia operator+(const ArticulatedInertia& a, const RigidInertia<T>& b) {
    const Mat3<T>& o = a.H;
    const Sym3<T>& m = a.M;
    return {a.J + b.about_origin,
            {o.xx, o.xy - b.h.z, o.xz + b.h.y, o.yx + b.h.z, o.yy, o.yz - b.h.x, o.zx - b.h.y, o.zy + b.h.x, o.zz},
            {m.xx + b.mass, m.yy + b.mass, m.zz + b.mass, m.xy, m.xz, m.yz}};
  }

  friend ULNA_INLINE Force<T> operator*(const ArticulatedInertia& a, const Motion<T>& v) {
    return {a.J * v.angular + a.H * v.linear, transpose_times(a.H, v.angular) + a.M * v.linear};
  }

  /// Takes away u wᵀ where w is a multiple of u, so that the result stays symmetric.
  ULNA_INLINE void subtract_dyad(const Force<T>& u, const Force<T>& w) {
    const Vec3<T>&a = u.moment, &b = w.moment, &c = u.force, &d = w.force;
    J = J - Sym3<T>{a.x * b.x, a.y * b.y, a.z * b.z, a.x * b.y, a.x * b.z, a.y * b.z};
    H = H - Mat3<T>{a.x * d.x, a.x * d.y, a.x * d.z, a.y * d.x, a.y * d.y, a.y * d.z, a.z * d.x, a.z * d.y, a.z * d.z};
    M = M - Sym3<T>{c.x * d.x, c.y * d.y, c.z * d.z, c.x * d.y, c.x * d.z, c.y * d.z};
  }
};

/// The same body about the origin that sees this one at p.
template <class T>
ULNA_INLINE ArticulatedInertia<T> shift(const ArticulatedInertia<T>& a, const Vec3<T>& p) {
  // With P = [p]×: N = H + P M and J' = J + P Hᵀ + N Pᵀ
  const Mat3<T> pm =
      Mat3<T>::from_columns(cross(p, a.M.column_x()), cross(p, a.M.column_y()), cross(p, a.M.column_z()));
  const Mat3<T>& H = a.H;
  const Mat3<T> N = H + pm;
  return {Sym3<T>{a.J.xx + (p.y * (H.xz + N.xz) - p.z * (H.xy + N.xy)),
                  a.J.yy + (p.z * (H.yx + N.yx) - p.x * (H.yz + N.yz)),
                  a.J.zz + (p.x * (H.zy + N.zy) - p.y * (H.zx + N.zx)),
                  a.J.xy + (p.y * H.yz + p.z * (N.xx - H.yy) - p.x * N.xz),
                  a.J.xz + (p.y * (H.zz - N.xx) - p.z * H.zy + p.x * N.xy),
                  a.J.yz + (p.z * H.zx + p.x * (N.yy - H.zz) - p.y * N.yx)},
          H + pm,  // not N: a copy of it would be stored in parts and loaded whole
          a.M};
}

}  // namespace ulna
