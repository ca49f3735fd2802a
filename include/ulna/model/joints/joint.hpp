// What a joint kind has to say for itself; each kind is one file beside this one.
//
// A kind is an empty struct with static members (see revolute.hpp for the pattern):
//   nq, nv         how many positions and velocities it has
//   quaternion     where in q a unit quaternion x, y, z, w begins; −1: there is none
//   has_axis       moves about or along one axis, which build() puts on z
//   name           as robot files write it
//   place          from positions to the body's pose in its parent
//   drive          what the joint adds to the rates of its body (Newton–Euler, outward)
//   add_motion     m += S v
//   project        Sᵀ f
//   times          I S, column by column
//   retract        the position q at local coordinates x (nv of them) about a reference position
//   origin         the local coordinates of the reference position itself
//   local_rate     ẋ of the velocity v, at x and its q
//   momentum       of the momentum μ that belongs to v the one that belongs to ẋ, and back
// S, the motion subspace, is constant in the body frame: with the joint axis on z it is a choice
// of components and is never stored or multiplied.
#pragma once

#include <array>

#include "ulna/model/placement.hpp"

namespace ulna {

/// Angular velocity ω, angular acceleration α and acceleration a of the origin, in body axes.
/// Classical rates: no linear velocity is needed on the way (Luh, Walker and Paul 1980).
template <class T>
struct Rates {
  Vec3<T> omega, alpha, a;
};

/// Data of one joint that its kind needs at run time.
struct JointData {
  double pitch = 0.0;  // screw: metres per radian
};

/// Column k of S: what the joint does at unit rate of one of its velocities.
template <Real T, class Joint>
ULNA_INLINE Motion<T> subspace_column(Joint joint, const JointData& data, std::size_t k) {
  std::array<T, Joint::nv> unit;
  unit.fill(T(0.0));
  unit[k] = T(1.0);
  Motion<T> column = Motion<T>::zero();
  joint.add_motion(data, unit.data(), column);
  return column;
}

/// Local coordinates of joints whose positions are n plain numbers that change at the rates v: the positions.
template <int n>
struct PlainCoordinates {
  static constexpr int nq = n, nv = n, quaternion = -1;
  static constexpr bool has_axis = true;

  template <Real T>
  ULNA_INLINE static void retract(const double*, const T* x, T* q) {
    for (int k = 0; k < n; ++k) q[k] = x[k];
  }
  ULNA_INLINE static void origin(const double* reference, double* x) {
    for (int k = 0; k < n; ++k) x[k] = reference[k];
  }
  template <Real T>
  ULNA_INLINE static void local_rate(const T*, const T*, const T* v, T* dx) {
    for (int k = 0; k < n; ++k) dx[k] = v[k];
  }
  template <Real T>
  ULNA_INLINE static void momentum(const T*, const T*, const T* mu, T* p) {
    for (int k = 0; k < n; ++k) p[k] = mu[k];
  }
  template <Real T>
  ULNA_INLINE static void body_momentum(const T*, const T*, const T* p, T* mu) {
    for (int k = 0; k < n; ++k) mu[k] = p[k];
  }
};

}  // namespace ulna
