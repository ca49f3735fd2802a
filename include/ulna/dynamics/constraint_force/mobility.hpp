// I⁻¹ of a body: the acceleration that a force at a point gives it, V̇ = [aa al; alᵀ ll] F.
#pragma once

#include "ulna/model/placement.hpp"

namespace ulna::constraint_force {

template <class T>
struct Mobility {
  Sym3<T> aa;
  Mat3<T> al;
  Sym3<T> ll;

  friend ULNA_INLINE Mobility operator+(const Mobility& a, const Mobility& b) {
    return {a.aa + b.aa, a.al + b.al, a.ll + b.ll};
  }
  friend ULNA_INLINE Motion<T> operator*(const Mobility& a, const Force<T>& f) {
    return {a.aa * f.moment + a.al * f.force, transpose_times(a.al, f.moment) + a.ll * f.force};
  }
};

template <class T>
ULNA_INLINE Mobility<T> cast(const Mobility<double>& a) {
  return {ulna::cast<T>(a.aa), ulna::cast<T>(a.al), ulna::cast<T>(a.ll)};
}

/// P̂ᵗ I⁻¹ P̂: the same body's mobility at the point p away. With P = [p]×,
/// al' = al + aa P,  ll' = ll + alᵗ P − P al'.
template <class T>
ULNA_INLINE Mobility<T> at_point(const Mobility<T>& a, const Vec3<T>& p) {
  const Mat3<T> P = skew(p);
  const Mat3<T> al = a.al + full(a.aa) * P;
  return {a.aa, al, symmetric(full(a.ll) + transpose(a.al) * P - P * al)};
}

/// From the axes of a body's parent to its own.
template <Real T>
ULNA_INLINE Mobility<T> to_body_axes(const LinkPose<T>& x, const Mobility<T>& a) {
  if (x.full != nullptr) {
    const Mat3<T> Rt = transpose(*x.full);
    return {rotate(Rt, a.aa), rotate(Rt, a.al), rotate(Rt, a.ll)};
  }
  const Turn<T> gamma{T(x.at->gamma.c), T(-x.at->gamma.s)}, alpha{T(x.at->alpha.c), T(-x.at->alpha.s)};
  const Turn<T> theta = x.theta.back();
  const auto turn = [&](const auto& m) { return turn_z(theta, turn_x(alpha, x.at->has_gamma ? turn_z(gamma, m) : m)); };
  return {turn(a.aa), turn(a.al), turn(a.ll)};
}

/// Of a rigid body about its frame's origin; the body must have mass and inertia in all directions.
Mobility<double> mobility_of(const RigidInertia<double>& inertia);

/// Whether it has.
bool has_mobility(const RigidInertia<double>& inertia);

}  // namespace ulna::constraint_force
