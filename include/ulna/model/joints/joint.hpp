// What a joint kind has to say for itself; each kind is one file beside this one.
//
// A kind is an empty struct with static members (see revolute.hpp for the pattern, JointDefaults for what most share):
//   name           as robot files write it
//   look           the solid that pages draw it as: cylinder, hexagon, block, plate, ball or none
//   nq, nv         how many positions and velocities it has
//   positions      what each number of q is, for tables and units
//   rates          the same for v, a and tau
//   quaternion     where in q a unit quaternion x, y, z, w begins; −1: there is none
//   angle          which of q is the angle θ that comes as LinkPose::theta; −1: there is none
//   has_axis       the author gives its axis, which build() puts on z
//   is_axial       all the same when its frames are turned about z or moved along it
//   has_pitch      the author gives its pitch
//   is_successive  turns and slides one after the other, in the order of v: column k of S is constant in the frame that
//                  the rates before it move. Else S is constant in the body frame.
//   place          from positions to the body's origin in its parent, where is_axial
//   displacement   the pose of the body in its joint frame, where nv > 1
//   add_rates      what the joint adds to the rates of its body (Newton–Euler, outward)
//   add_motion     m += S v
//   project        Sᵀ f
//   times          I S, column by column
//   swept          m × S, where that is less than the product of two motions
//   directions     of the six (angular x, y, z, linear x, y, z) those that the joint locks, then those that it leaves
//                  free, in the order of v: the papers' W and H
//   components     those along these directions, where they are not the axes of the body; compose: its transpose
//   closes_loops   may be cut; lock: the 6 − nv equations of the closed joint
//   turned_round   the turn of both joint frames after which the child carries the parent by the same kind of joint
//   movable        the part of a link's inertia that its parent may carry: it looks the same to the parent at every
//                  position of the joint, and the joint does not feel it (model/transform.hpp)
//   retract        the position q at local coordinates x (nv of them) about a reference position
//   advance        the position that a step, as v is given, leads to; may take the place of the one that it starts from
//   difference     the step, as v is given, that leads from one position to another
//   origin         the local coordinates of the reference position itself
//   local_rate     ẋ of the velocity v, at x and its q
//   momentum       of the momentum μ that belongs to v the one that belongs to ẋ, and back
// S, the motion subspace, is a choice of components where the joint axis is on z; it is never stored or multiplied.
#pragma once

#include <array>

#include "ulna/model/placement.hpp"
#include "ulna/spatial/inertia.hpp"

namespace ulna {

/// Angular velocity ω, angular acceleration α and acceleration a of the origin, in body axes.
/// Classical rates: no linear velocity is needed on the way (Luh, Walker and Paul 1980).
template <class T>
struct Rates {
  Vec3<T> omega, alpha, a;
};

/// Data of one joint that its kind needs at run time.
struct JointData {
  double pitch = 0.0;  // screw: metres per unit of its coordinate
  double turn = 1.0;   // screw: radians per unit of it; other than 1 where it follows another joint
};

/// The same at a position: what S depends on.
template <class T>
struct JointAt : JointData {
  const Turn<T>& theta;
};

/// What one number of q or v is: a suffix to the joint's name, and whether it is a length. Else it is an angle or, in
/// q, a part of a quaternion.
struct JointNumber {
  const char* suffix;
  bool is_length;
};

/// Six components, angular first.
using Directions = std::array<std::size_t, 6>;

/// Frame b of a closed joint as seen from frame a, or a rate of it.
template <class T>
struct Relative {
  Mat3<T> R;
  Vec3<T> d;
  T turn;  // about z, of joints with a pitch
};

/// What most kinds share.
struct JointDefaults {
  static constexpr int quaternion = -1, angle = -1;
  static constexpr bool has_axis = false, is_axial = false, has_pitch = false, is_successive = false,
                        closes_loops = true;

  template <class X>
  ULNA_INLINE static std::array<X, 6> components(const JointData&, const std::array<X, 6>& x) {
    return x;
  }
  template <class X>
  ULNA_INLINE static std::array<X, 6> compose(const JointData&, const std::array<X, 6>& x) {
    return x;
  }
  static Mat3<double> turned_round() { return Mat3<double>::identity(); }
};

template <class T, std::size_t n>
ULNA_INLINE void put(const T (&values)[n], T* out) {
  for (std::size_t i = 0; i < n; ++i) out[i] = values[i];
}

/// Column k of S: what the joint does at unit rate of one of its velocities.
template <Real T, class Joint>
ULNA_INLINE Motion<T> subspace_column(Joint joint, const JointAt<T>& at, std::size_t k) {
  std::array<T, Joint::nv> unit;
  unit.fill(T(0.0));
  unit[k] = T(1.0);
  Motion<T> column = Motion<T>::zero();
  joint.add_motion(at, unit.data(), column);
  return column;
}

/// m × S for column k of S: how it changes in a frame that moves with m.
template <Real T, class Joint>
ULNA_INLINE Motion<T> cross_column(Joint joint, const JointAt<T>& at, const Motion<T>& m, std::size_t k) {
  if constexpr (requires { joint.swept(at, m); })
    return joint.swept(at, m);
  else
    return cross(m, subspace_column<T>(joint, at, k));
}

/// The velocity of the frame in which column k of S is constant, from the velocity m of the parent.
template <Real T, class Joint>
ULNA_INLINE Motion<T> velocity_of_column(Joint joint, const JointAt<T>& at, const T* v, std::size_t k, Motion<T> m) {
  if constexpr (Joint::is_successive) {
    std::array<T, Joint::nv> moved;
    for (std::size_t r = 0; r < moved.size(); ++r) moved[r] = r <= k ? v[r] : T(0.0);
    joint.add_motion(at, moved.data(), m);
  } else {
    joint.add_motion(at, v, m);
  }
  return m;
}

/// What a turn about the axis z does not change and has no inertia about it, without mass: no slide feels it.
inline RigidInertia<double> massless_movable(const RigidInertia<double>& a) {
  RigidInertia<double> part = RigidInertia<double>::zero();
  part.about_origin.xx = part.about_origin.yy = a.about_origin.yy;
  return part;
}

/// Local coordinates of joints whose positions are n plain numbers that change at the rates v: the positions.
template <int n>
struct PlainCoordinates : JointDefaults {
  static constexpr int nq = n, nv = n;

  template <Real T>
  ULNA_INLINE static void retract(const double*, const T* x, T* q) {
    for (int k = 0; k < n; ++k) q[k] = x[k];
  }
  ULNA_INLINE static void origin(const double* reference, double* x) {
    for (int k = 0; k < n; ++k) x[k] = reference[k];
  }
  template <Real T>
  ULNA_INLINE static void advance(const T* q, const T* step, T* to) {
    for (int k = 0; k < n; ++k) to[k] = q[k] + step[k];
  }
  static void difference(const double* from, const double* to, double* step) {
    for (int k = 0; k < n; ++k) step[k] = to[k] - from[k];
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
