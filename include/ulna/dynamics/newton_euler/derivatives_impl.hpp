// The pass behind derivatives.hpp, for scalars that the library does not hold.
#pragma once

#include "ulna/dynamics/joint_forces.hpp"
#include "ulna/dynamics/newton_euler/derivatives.hpp"
#include "ulna/model/body_inertia.hpp"

namespace ulna::newton_euler {

template <Real T>
DerivativeWorkspace<T>::DerivativeWorkspace(const Model& model) : poses(model), bodies(model.bodies().size()) {
  expect_one_degree_joints(model);
}

namespace derivatives_detail {

/// The only component of Sᵀ f.
template <Real T>
ULNA_INLINE T project(const Body& body, const Force<T>& f) {
  return with_one_degree(body.kind, [&](auto joint) { return joint.project(body.joint, f)[0]; });
}

template <Real T>
ULNA_INLINE Motion<T> times_rate(const Body& body, const T& rate) {
  Motion<T> m = Motion<T>::zero();
  with_one_degree(body.kind, [&](auto joint) { joint.add_motion(body.joint, &rate, m); });
  return m;
}

/// −[ω]× P − [h]×[v]×, with P the second moments: the angular block of a rigid body's Coriolis matrix
/// ½(v×* I − I v× + (I v) ×̄*), whose other blocks are −[p]× and zeros.
template <Real T, class C>
ULNA_INLINE Mat3<T> angular_block(const RigidInertia<C>& body, const Motion<T>& v) {
  const Mat3<T> P = full(cast<T>(second_moments(body.about_origin)));
  return -(cross(v.angular, P) + double_cross(cast<T>(body.h), v.linear));
}

template <Real T>
void outward(const Model& model, DerivativeWorkspace<T>& ws, std::span<const T> v, std::span<const T> a) {
  for (std::size_t i = 0; i < ws.bodies.size(); ++i) {
    const Body& body = model.bodies()[i];
    auto& b = ws.bodies[i];
    Motion<T> v_in = Motion<T>::zero(), a_in{Vec3<T>::zero(), ws.poses[i].rotate_in(cast<T>(-model.gravity()))};
    if (body.parent >= 0) {
      const auto& parent = ws.bodies[static_cast<std::size_t>(body.parent)];
      v_in = ws.poses[i].to_body(parent.v);
      a_in = ws.poses[i].to_body(parent.a);
    }
    b.S = times_rate(body, T(1.0));
    b.S_dot = cross(v_in, b.S);
    b.S_dd = cross(a_in, b.S) + cross(v_in, b.S_dot);
    b.v = v_in + times_rate(body, v[i]);
    b.a = a_in + times_rate(body, a[i]) + v[i] * b.S_dot;
    b.I = cast<T>(body_inertia<T>(body));
    const Force<T> momentum = b.I * b.v;
    b.B = angular_block<T>(body_inertia<T>(body), b.v);
    b.p = momentum.force;
    b.f = b.I * b.a + cross(b.v, momentum);
  }
}

/// Adds what a body is and carries to its parent.
template <Real T>
void hand_over(const Model& model, DerivativeWorkspace<T>& ws, std::size_t i) {
  const int parent = model.bodies()[i].parent;
  if (parent < 0) return;
  const auto& b = ws.bodies[i];
  const LinkPose<T>& x = ws.poses[i];
  auto& to = ws.bodies[static_cast<std::size_t>(parent)];
  const Vec3<T> p = x.rotate_out(b.p);
  to.I += x.to_parent(b.I);
  to.B += x.rotate_out(b.B) - double_cross(x.p, p);
  to.p += p;
  to.f += x.to_parent(b.f);
}

template <Real T>
void add_passive(const Model& model, std::span<const T> v, MatrixView<T> dq, MatrixView<T> dv) {
  if (!model.has_passive()) return;
  const double s = model.friction_speed();
  for (int k = 0; k < model.nv(); ++k) {
    const auto at = static_cast<std::size_t>(k);
    dq(k, k) += T(model.stiffness()[at]);
    dv(k, k) += friction_slope(T(model.viscous()[at]), T(model.coulomb()[at]), s, v[at]);
  }
}

}  // namespace derivatives_detail

template <Real T>
void inverse_derivatives(const Model& model, DerivativeWorkspace<T>& ws, VectorIn<T> q, VectorIn<T> v, VectorIn<T> a,
                         MatrixOut<T> dq, MatrixOut<T> dv, MatrixOut<T> M) {
  using derivatives_detail::project;
  expect_size("q", q.size(), model.nq());
  expect_size("v", v.size(), model.nv());
  expect_size("a", a.size(), model.nv());
  for (const MatrixView<T>& m : {dq, dv, M}) {
    expect_square(model, m);
    if (!model.is_serial()) m.fill(T(0.0));  // bodies on different branches do not couple
  }
  const std::span<const Body> bodies = model.bodies();
  const T two(2.0);
  ws.poses.update(model, q);
  derivatives_detail::outward(model, ws, v, a);
  for (std::size_t i = bodies.size(); i-- > 0;) {
    const auto& b = ws.bodies[i];
    const int c = static_cast<int>(i);
    const auto twice_B = [&](const Motion<T>& m) {
      return Force<T>{two * (b.B * m.angular), two * cross(m.angular, b.p)};
    };
    Force<T> by_q = twice_B(b.S_dot) + b.I * b.S_dd + cross(b.S, b.f);
    Force<T> by_v = twice_B(b.S) + b.I * (two * b.S_dot);
    Force<T> by_a = b.I * b.S;
    Vec3<T> couple = two * (transpose_times(b.B, b.S.angular) + cross(b.p, b.S.linear));  // 2 Bᵀ S
    dq(c, c) = project(bodies[i], by_q);
    dv(c, c) = project(bodies[i], by_v);
    M(c, c) = project(bodies[i], by_a) + T(model.armature()[i]);
    for (std::size_t j = i; bodies[j].parent >= 0;) {
      const LinkPose<T>& x = ws.poses[j];
      j = static_cast<std::size_t>(bodies[j].parent);
      by_q = x.to_parent(by_q);
      by_v = x.to_parent(by_v);
      by_a = x.to_parent(by_a);
      couple = x.rotate_out(couple);
      const auto& below = ws.bodies[j];
      const int r = static_cast<int>(j);
      dq(r, c) = project(bodies[j], by_q);
      dv(r, c) = project(bodies[j], by_v);
      M(r, c) = M(c, r) = project(bodies[j], by_a);
      dq(c, r) = dot(by_a, below.S_dd) + dot(couple, below.S_dot.angular);
      dv(c, r) = dot(by_a, two * below.S_dot) + dot(couple, below.S.angular);
    }
    derivatives_detail::hand_over(model, ws, i);
  }
  derivatives_detail::add_passive(model, v, dq, dv);
}

}  // namespace ulna::newton_euler
