// A segment of a chain as one articulated body with two handles: the body that carries it and its
// own last body. Featherstone's divide and conquer (Int. J. Robotics Research 18, 1999) at the
// grain of segments, with two departures:
//
// - He relates accelerations of both handles to forces on both, which inverts the inertia of every
//   link. Here the inner handle gives its acceleration m and the outer one the force F that the rest of
//   the chain takes from it:
//       f = I m + p + Ψ F        force that the segment takes from the body that carries it
//       a = Ψᵀ m + b − Λ F       acceleration of its last body
//   I and p are what the plain articulated-body recursion finds, Ψ the product of its steps and Λ the
//   operational-space mobility. No link is inverted, and a link may lack mass or inertia.
// - Segments are cut through bodies, not at joints. A cut body must be solid, with mass and inertia
//   in all directions; each side gets half of it. So no joint inside a segment loses the inertia it rests
//   on, and I is positive definite when two segments meet.
//
// Accelerations are of points (Rates), and those a⁰ that the segment has at rest of the handle and at
// zero joint acceleration are taken out first, as articulated_body.hpp does for the whole chain.
#pragma once

#include "ulna/dynamics/articulated_body/articulated_body_impl.hpp"
#include "ulna/dynamics/articulated_body/chain_step.hpp"
#include "ulna/dynamics/block.hpp"

namespace ulna::articulated_body {

using dense::Block;
using dense::Vector;

/// f = I m + p + Ψ F,  a = Ψᵀ m + b − Λ F.
template <Real T>
struct TwoHandles {
  Block<T, 6> I, psi, lambda;
  Vector<T, 6> p, b;
};

/// What a segment's steps do to directions and turning: world or handle axes seen from its last body.
template <Real T>
struct Turning {
  std::array<Vec3<T>, 3> axes;  // of the handle, in axes of the last body
  Vec3<T> omega;                // of the last body if the handle does not turn

  /// ω of the last body when the handle turns.
  ULNA_INLINE Vec3<T> out(const Vec3<T>& handle) const { return axes_times(handle) + omega; }
  /// A vector in the handle's axes, seen from the last body.
  ULNA_INLINE Vec3<T> axes_times(const Vec3<T>& a) const { return a.x * axes[0] + a.y * axes[1] + a.z * axes[2]; }
};

/// The memory of one segment, or of one in each lane of T; it belongs to the caller.
template <Real T>
struct Segment {
  std::span<const StepKind> steps;
  const StepPlacement<T>* at;      // by step
  const RigidInertia<T>* inertia;  // by step; the last one is half of a body that was cut
  const Mat3<T>* rotation;         // of general steps
  const T* armature;               // by velocity index, as what follows
  StepState<T>* state;             // by step
  Pose<T>* general;                // poses of general steps
  Force<T>* W;
  Motion<T>* z;  // what F takes off y
  T* y;
  std::size_t nv;
  const RigidInertia<T>* handle;  // the other half of the body that carries the segment

  ULNA_INLINE StepPose<T> pose(std::size_t t) const { return pose_of(steps[t], at[t], state[t], general); }
};

namespace detail {

/// The joint's pose from its positions q(0), q(1), …
template <Real T, class Joint, class Q>
ULNA_INLINE void place_step(Joint joint, const Segment<T>& s, std::size_t t, const Q& q) {
  if constexpr (Joint::nv == 1) {
    static_cast<void>(joint);
    const StepPlacement<T>& at = s.at[t];
    const T x = q(0);
    const SinCos<T> turn = sincos(at.joint.turn * x + at.offset);
    s.state[t] = {{turn.cos, turn.sin}, at.joint.slide * x};
    const std::int32_t general = s.steps[t].general;
    if (general < 0) return;
    const Mat3<T>& R = s.rotation[general];
    s.general[general] = {R * rotation_z(s.state[t].theta), at.p + s.state[t].slid * R.column_z()};
  } else {
    std::array<T, Joint::nq> x;
    for (std::size_t k = 0; k < x.size(); ++k) x[k] = q(k);
    if constexpr (Joint::angle >= 0) {
      const SinCos<T> turn = sincos(x[Joint::angle] + s.at[t].offset);
      s.state[t].theta = {turn.cos, turn.sin};
    }
    const Pose<T> moved = joint.displacement(x.data(), s.state[t].theta);
    const Mat3<T>& R = s.rotation[s.steps[t].general];
    s.general[s.steps[t].general] = {R * moved.R, s.at[t].p + R * moved.p};
  }
}

template <class Joint, Real T, class V>
ULNA_INLINE std::array<T, Joint::nv> read(const V& v, std::size_t k) {
  std::array<T, Joint::nv> x;
  for (std::size_t r = 0; r < x.size(); ++r) x[r] = v(k + r);
  return x;
}

template <Real T>
ULNA_INLINE Vector<T, 6> column(const Motion<T>& m) {
  return {m.angular.x, m.angular.y, m.angular.z, m.linear.x, m.linear.y, m.linear.z};
}
template <Real T>
ULNA_INLINE Vector<T, 6> column(const Force<T>& f) {
  return {f.moment.x, f.moment.y, f.moment.z, f.force.x, f.force.y, f.force.z};
}

}  // namespace detail

/// Poses of all steps from the positions q(k), and how the segment turns with the velocities v(k).
template <Real T, class Q, class V>
Turning<T> place(const Segment<T>& s, const Q& q, const V& v) {
  const T o(0.0), i(1.0);
  Turning<T> whole{{Vec3<T>{i, o, o}, Vec3<T>{o, i, o}, Vec3<T>{o, o, i}}, Vec3<T>::zero()};
  std::size_t iq = 0, iv = 0;
  for (std::size_t t = 0; t < s.steps.size(); ++t) {
    with_step_joint(s.steps[t], s.at[t], s.state[t], [&](auto joint, const auto& data) {
      detail::place_step(joint, s, t, [&](std::size_t k) { return q(iq + k); });
      const StepPose<T> x = s.pose(t);
      for (Vec3<T>& axis : whole.axes) axis = x.rotate_in(axis);
      Motion<T> m{x.rotate_in(whole.omega), Vec3<T>::zero()};
      joint.add_motion(data, detail::read<decltype(joint), T>(v, iv).data(), m);
      whole.omega = m.angular;
      iq += joint.nq;
      iv += joint.nv;
    });
  }
  return whole;
}

/// No external wrenches.
struct NoLoads {
  template <Real T>
  ULNA_INLINE void take_off(std::size_t, const StepPose<T>&, Force<T>&) {}
};

/// External wrenches in world axes: at(t) is the one on step t's body, com(t) its mass centre.
template <Real T, class At, class Com>
struct WorldLoads {
  std::array<Vec3<T>, 3> world;  // its axes, seen from the body reached
  At at;
  Com com;

  ULNA_INLINE void take_off(std::size_t t, const StepPose<T>& x, Force<T>& p) {
    for (Vec3<T>& axis : world) axis = x.rotate_in(axis);
    const Force<T> load = at(t);
    const auto turned = [&](const Vec3<T>& a) { return a.x * world[0] + a.y * world[1] + a.z * world[2]; };
    const Vec3<T> f = turned(load.force), n = turned(load.moment);
    p -= Force<T>{n + cross(com(t), f), f};
  }
};

/// Bias wrenches of the bodies where the handle turns with ω and does not accelerate; left in W, at the first
/// velocity index of each step. Returns a⁰ of the last body.
template <Real T, class V, class Loads>
Motion<T> bias(const Segment<T>& s, const Vec3<T>& omega, const V& v, Loads loads) {
  newton_euler::BodyRates<T> r{{omega, Vec3<T>::zero(), Vec3<T>::zero()},
                               newton_euler::acceleration_matrix(omega, Vec3<T>::zero())};
  std::size_t k = 0;
  for (std::size_t t = 0; t < s.steps.size(); ++t) {
    const StepPose<T> x = s.pose(t);
    r.a = x.rotate_in(r.a + r.A * x.p);
    r.alpha = x.rotate_in(r.alpha);
    r.omega = x.rotate_in(r.omega);
    with_step_joint(s.steps[t], s.at[t], s.state[t], [&](auto joint, const auto& data) {
      std::array<T, joint.nv> zero;
      zero.fill(T(0.0));
      joint.add_rates(data, detail::read<decltype(joint), T>(v, k).data(), zero.data(), static_cast<Rates<T>&>(r));
      r.A = newton_euler::acceleration_matrix(r.omega, r.alpha);
      s.W[k] = newton_euler::body_wrench(s.inertia[t], r);
      loads.take_off(t, x, s.W[k]);
      k += joint.nv;
    });
  }
  return {r.alpha, r.a};
}

namespace detail {

/// The elimination on its way inward.
template <Real T>
struct Eliminated {
  ArticulatedInertia<T> I;
  Force<T> p;
  std::array<Force<T>, 6> psi;  // columns
  Block<T, 6> lambda;           // lower triangle
  Motion<T> b;

  /// Lets joint k of the segment give way, with the force f(k) in it: release(), and the same for the outer handle.
  template <class Joint, class Data, class F>
  ULNA_INLINE void give_way(Joint joint, const Data& data, const Segment<T>& s, std::size_t k, const F& f) {
    constexpr std::size_t n = Joint::nv;
    T D[n * (n + 1) / 2];
    for (std::size_t r = 0; r < n; ++r) s.y[k + r] = f(k + r);
    release(joint, data, &s.armature[k], I, p, &s.W[k], D, &s.y[k]);
    std::array<std::array<T, n>, 6> row;  // Sᵀ Ψ, column by column
    for (std::size_t c = 0; c < 6; ++c) {
      row[c] = joint.project(data, psi[c]);
      for (std::size_t r = 0; r < n; ++r) psi[c] -= row[c][r] * s.W[k + r];
    }
    std::array<Motion<T>, n> motion, z;
    for (std::size_t r = 0; r < n; ++r) {
      motion[r] = {{row[0][r], row[1][r], row[2][r]}, {row[3][r], row[4][r], row[5][r]}};
      z[r] = motion[r];
    }
    JointBlock<T, n>::load(D).solve(z);
    for (std::size_t r = 0; r < n; ++r) {
      const Vector<T, 6> left = column(motion[r]), right = column(z[r]);
      for (int i = 0; i < 6; ++i)
        for (int j = 0; j <= i; ++j)
          lambda(i, j) += left[static_cast<std::size_t>(i)] * right[static_cast<std::size_t>(j)];
      b += s.y[k + r] * motion[r];
      s.z[k + r] = z[r];
    }
  }
};

template <Real T>
ULNA_INLINE TwoHandles<T> two_handles(const Eliminated<T>& e) {
  TwoHandles<T> out;
  const Vector<T, 6> columns[] = {
      column(Force<T>{e.I.J.column_x(), e.I.H.row_x()}),    column(Force<T>{e.I.J.column_y(), e.I.H.row_y()}),
      column(Force<T>{e.I.J.column_z(), e.I.H.row_z()}),    column(Force<T>{e.I.H.column_x(), e.I.M.column_x()}),
      column(Force<T>{e.I.H.column_y(), e.I.M.column_y()}), column(Force<T>{e.I.H.column_z(), e.I.M.column_z()})};
  for (int j = 0; j < 6; ++j) {
    const Vector<T, 6> psi = column(e.psi[static_cast<std::size_t>(j)]);
    for (int i = 0; i < 6; ++i) {
      out.I(i, j) = columns[j][static_cast<std::size_t>(i)];
      out.psi(i, j) = psi[static_cast<std::size_t>(i)];
      out.lambda(i, j) = i < j ? e.lambda(j, i) : e.lambda(i, j);
    }
  }
  out.p = column(e.p);
  out.b = column(e.b);
  return out;
}

}  // namespace detail

/// The segment's two-handle form, after bias() with the same ω of the handle, whose a⁰ is `reached`, under
/// joint forces f(k). Leaves W, z and y for substitute().
template <Real T, class F>
TwoHandles<T> eliminate(const Segment<T>& s, const Vec3<T>& omega, const Motion<T>& reached, const F& f) {
  const T o(0.0), one(1.0);
  const Vec3<T> x{one, o, o}, y{o, one, o}, z{o, o, one}, none = Vec3<T>::zero();
  detail::Eliminated<T> e{ArticulatedInertia<T>::from_rigid(RigidInertia<T>::zero()),
                          Force<T>::zero(),
                          {Force<T>{x, none}, {y, none}, {z, none}, {none, x}, {none, y}, {none, z}},
                          Block<T, 6>::zero(),
                          reached};
  std::size_t k = s.nv;
  for (std::size_t t = s.steps.size(); t-- > 0;) {
    e.I = e.I + s.inertia[t];
    with_step_joint(s.steps[t], s.at[t], s.state[t], [&](auto joint, const auto& data) {
      k -= joint.nv;
      e.p += s.W[k];
      e.give_way(joint, data, s, k, f);
    });
    const StepPose<T> pose = s.pose(t);
    e.I = pose.to_parent(e.I);
    e.p = pose.to_parent(e.p);
    for (Force<T>& column : e.psi) column = pose.to_parent(column);
  }
  e.I = e.I + *s.handle;
  const newton_euler::BodyRates<T> turning{{omega, none, none}, newton_euler::acceleration_matrix(omega, none)};
  e.p += newton_euler::body_wrench(*s.handle, turning);
  return detail::two_handles(e);
}

/// Joint accelerations a(k, value) when the handle accelerates by m and the rest of the chain takes F.
template <Real T, class A>
void substitute(const Segment<T>& s, Motion<T> m, const Force<T>& F, const A& a) {
  std::size_t k = 0;
  for (std::size_t t = 0; t < s.steps.size(); ++t) {
    m = s.pose(t).to_body(m);
    with_step_joint(s.steps[t], s.at[t], s.state[t], [&](auto joint, const auto& data) {
      std::array<T, joint.nv> x;
      for (std::size_t r = 0; r < x.size(); ++r) {
        x[r] = s.y[k + r] - dot(F, s.z[k + r]) - dot(s.W[k + r], m);
        a(k + r, x[r]);
      }
      joint.add_motion(data, x.data(), m);
      k += joint.nv;
    });
  }
}

}  // namespace ulna::articulated_body
