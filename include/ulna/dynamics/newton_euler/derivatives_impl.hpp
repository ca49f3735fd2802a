// The pass behind derivatives.hpp, for scalars that the library does not hold. Equation by equation, with i a body,
// c one of its velocities and r a velocity between it and the base, all composites those of body i:
//   ∂τ_r/∂q_c = S_r · (2 B ψ̇_c + I ψ̈_c + S_c ×* f)     ∂τ_c/∂q_r = S_c · (2 B ψ̇_r + I ψ̈_r)
//   ∂τ_r/∂v_c = S_r · (2 B S_c + I (ψ̇_c + Ṡ_c))         ∂τ_c/∂v_r = S_c · (2 B S_r + I (ψ̇_r + Ṡ_r))
//   ∂τ_r/∂a_c = S_r · I S_c
// The left ones are three wrenches that are carried to the base, body by body; the right ones take I S_c and 2 Bᵀ S_c
// with them.
#pragma once

#include "ulna/dynamics/joint_forces.hpp"
#include "ulna/dynamics/newton_euler/derivatives.hpp"
#include "ulna/model/body_inertia.hpp"

namespace ulna::newton_euler {

template <Real T>
DerivativeWorkspace<T>::DerivativeWorkspace(const Model& model)
    : poses(model),
      bodies(model.bodies().size()),
      columns(static_cast<std::size_t>(model.column_count())),
      carried(columns.size()),
      begin(bodies.size()),
      end(bodies.size()) {
  const std::span<const Body> list = model.bodies();
  std::vector<std::size_t> count(bodies.size());  // of velocities, of a body and beyond
  for (std::size_t i = list.size(); i-- > 0;) {
    count[i] += static_cast<std::size_t>(degrees_of(list[i].kind));
    if (list[i].parent >= 0) count[static_cast<std::size_t>(list[i].parent)] += count[i];
  }
  std::size_t free = 0;                  // behind the trees that are placed
  std::vector<std::size_t> next(count);  // behind the branches of a body that are placed
  for (std::size_t i = 0; i < list.size(); ++i) {
    std::size_t& from = list[i].parent < 0 ? free : next[static_cast<std::size_t>(list[i].parent)];
    begin[i] = from;
    end[i] = from += count[i];
    next[i] = begin[i];
    for (int k = 0; k < degrees_of(list[i].kind); ++k)
      carried[next[i]++] = {static_cast<int>(i), list[i].v_index + k, {}};
  }
}

namespace derivatives_detail {

/// −2 ([ω]× P + [h]×[v]×), with P the second moments: the angular block of twice a rigid body's Coriolis matrix
/// ½(v×* I − I v× + (I v) ×̄*), whose other blocks are −2 [p]× and zeros.
template <Real T, class C>
ULNA_INLINE Mat3<T> angular_block(const RigidInertia<C>& body, const Motion<T>& v) {
  const Mat3<T> P = full(cast<T>(second_moments(body.about_origin)));
  return T(-2.0) * (cross(v.angular, P) + double_cross(cast<T>(body.h), v.linear));
}

/// The columns of one joint from v and a of its parent, which become those of its body.
template <class Joint, Real T>
ULNA_INLINE void add_columns(Joint joint, const JointAt<T>& at, const T* rate, const T* acceleration, Motion<T>& v,
                             Motion<T>& a, typename DerivativeWorkspace<T>::Column* column) {
  Motion<T> v_in = v, a_in = a;
  for (std::size_t k = 0; k < Joint::nv; ++k) {
    auto& [S, psi_dot, both, psi_ddot] = column[k];
    S = subspace_column<T>(joint, at, k);
    psi_dot = cross_column(joint, at, v_in, k);
    psi_ddot = cross_column(joint, at, a_in, k) + cross(v_in, psi_dot);
    a += rate[k] * psi_dot;
    both = psi_dot + psi_dot;
    if constexpr (Joint::is_successive) {
      v_in += rate[k] * S;
      a_in += rate[k] * psi_dot + acceleration[k] * S;
    }
  }
  joint.add_motion(at, rate, v);
  joint.add_motion(at, acceleration, a);
  if constexpr (Joint::nv > 1 && !Joint::is_successive)  // S turns with the whole joint
    for (std::size_t k = 0; k < Joint::nv; ++k) column[k].rate = column[k].psi_dot + cross(v, column[k].S);
}

template <Real T>
ULNA_INLINE Vec3<Four<T>> beside(const Vec3<T>& a, const Vec3<T>& b, const Vec3<T>& c, const Vec3<T>& d) {
  return {four(a.x, b.x, c.x, d.x), four(a.y, b.y, c.y, d.y), four(a.z, b.z, c.z, d.z)};
}

/// A pose for four vectors at once.
template <Real T>
class Fourfold {
 public:
  ULNA_INLINE explicit Fourfold(const LinkPose<T>& x) {
    const Mat3<Four<T>>* full = nullptr;
    if (x.full != nullptr) {
      const Mat3<T>& R = *x.full;
      full_ = {four_times(R.xx), four_times(R.xy), four_times(R.xz), four_times(R.yx), four_times(R.yy),
               four_times(R.yz), four_times(R.zx), four_times(R.zy), four_times(R.zz)};
      full = &full_;
    }
    pose = {x.at, full, {four_times(x.theta.c), four_times(x.theta.s)}, beside(x.p, x.p, x.p, x.p)};
  }
  Fourfold(const Fourfold&) = delete;

  LinkPose<Four<T>> pose;

 private:
  Mat3<Four<T>> full_;
};

template <Real T>
void outward(const Model& model, const LinkPoses<T>& poses, DerivativeWorkspace<T>& ws, std::span<const T> v,
             std::span<const T> a) {
  for (std::size_t i = 0; i < ws.bodies.size(); ++i) {
    const Body& body = model.bodies()[i];
    const auto k = static_cast<std::size_t>(body.v_index);
    auto& b = ws.bodies[i];
    b.v = Motion<T>::zero();
    b.a = {Vec3<T>::zero(), poses[i].rotate_in(cast<T>(-model.gravity()))};
    if (body.parent >= 0) {
      const auto& parent = ws.bodies[static_cast<std::size_t>(body.parent)];
      b.v = poses[i].to_body(parent.v);
      b.a = poses[i].to_body(parent.a);
    }
    with_joint(body.kind, [&](auto joint) {
      add_columns(joint, joint_at(body, poses[i]), &v[k], &a[k], b.v, b.a,
                  &ws.columns[static_cast<std::size_t>(body.column)]);
    });
    b.I = cast<T>(body_inertia<T>(body));
    const Force<T> momentum = b.I * b.v;
    b.B = angular_block<T>(body_inertia<T>(body), b.v);
    b.p = momentum.force + momentum.force;
    b.f = b.I * b.a + cross(b.v, momentum);
  }
}

/// Adds what a body is and carries to its parent.
template <Real T>
void hand_over(const Model& model, const LinkPoses<T>& poses, DerivativeWorkspace<T>& ws, std::size_t i) {
  const auto& b = ws.bodies[i];
  const LinkPose<T>& x = poses[i];
  auto& to = ws.bodies[static_cast<std::size_t>(model.bodies()[i].parent)];
  const Vec3<T> p = x.rotate_out(b.p);
  to.I += x.to_parent(b.I);
  to.B += x.rotate_out(b.B) - double_cross(x.p, p);
  to.p += p;
  to.f += x.to_parent(b.f);
}

template <Real T>
using Carried = Force<Four<T>>;
enum : int { by_q, by_v, by_a, couple };

template <Real T>
ULNA_INLINE Force<T> twice_b(const typename DerivativeWorkspace<T>::BodyState& b, const Motion<T>& m) {
  return {b.B * m.angular, cross(m.angular, b.p)};
}

/// Without S_c ×* f, which the joint itself does not feel.
template <Real T>
ULNA_INLINE Carried<T> begin_carrying(const typename DerivativeWorkspace<T>::BodyState& b,
                                      const typename DerivativeWorkspace<T>::Column& c, const Force<T>& a) {
  const Force<T> q = twice_b<T>(b, c.psi_dot) + b.I * c.psi_ddot;
  const Force<T> v = twice_b<T>(b, c.S) + b.I * c.rate;
  const Vec3<T> transposed = transpose_times(b.B, c.S.angular) + cross(b.p, c.S.linear);
  return {beside(q.moment, v.moment, a.moment, transposed), beside(q.force, v.force, a.force, Vec3<T>::zero())};
}

template <Real T>
ULNA_INLINE void add_by_q(Carried<T>& carried, const Force<T>& f) {
  const Vec3<T> none = Vec3<T>::zero();
  carried += Carried<T>{beside(f.moment, none, none, none), beside(f.force, none, none, none)};
}

template <Real T>
struct Matrices {
  MatrixView<T> dq, dv, M;
};

/// Column c, of the body `of`, at the rows of the first n velocities of a joint: that of `body`.
template <class Joint, Real T>
ULNA_INLINE void put_column(Joint joint, const Body& of, const Body& body, const JointAt<Four<T>>& at, int n, int c,
                            const Carried<T>& carried, const Matrices<T>& out) {
  const auto felt = joint.project(at, carried);
  for (int k = 0; k < n; ++k) {
    const auto& row = felt[static_cast<std::size_t>(k)];
    const int r = body.v_index + k;
    put(of, body, out.dq(r, c), row[by_q]);
    put(of, body, out.dv(r, c), row[by_v]);
    put(of, body, out.M(r, c), row[by_a]);
  }
}

/// Row c at the columns of the same velocities.
template <Real T>
ULNA_INLINE void put_row(const DerivativeWorkspace<T>& ws, const Body& of, const Body& body, int n, int c,
                         const Carried<T>& carried, const Matrices<T>& out) {
  const auto lane = [](const Vec3<Four<T>>& a, int k) { return Vec3<T>{a.x[k], a.y[k], a.z[k]}; };
  const Force<T> a{lane(carried.moment, by_a), lane(carried.force, by_a)};
  const Vec3<T> transposed = lane(carried.moment, couple);
  for (int k = 0; k < n; ++k) {
    const auto& below = ws.columns[static_cast<std::size_t>(body.column + k)];
    const int r = body.v_index + k;
    put(of, body, out.dq(c, r), dot(a, below.psi_ddot) + dot(transposed, below.psi_dot.angular));
    put(of, body, out.dv(c, r), dot(a, below.rate) + dot(transposed, below.S.angular));
    if (r == c)  // one velocity moves both: the body's part counts in both orders
      out.M(c, c) += dot(a, below.S);
    else
      out.M(c, r) = out.M(r, c);
  }
}

/// What velocity k of body i has to do with itself and its own joint; the rest is to be carried.
template <class Joint, Real T>
ULNA_INLINE void put_velocity(Joint joint, const Model& model, DerivativeWorkspace<T>& ws, const LinkPose<Four<T>>& x,
                              std::size_t i, int k, const Force<T>& IS, const Matrices<T>& out) {
  const Body& body = model.bodies()[i];
  const int c = body.v_index + k;
  const auto& column = ws.columns[static_cast<std::size_t>(body.column + k)];
  const JointAt<Four<T>> at = joint_at(body, x);
  Carried<T>& carried = ws.carried[ws.begin[i] + static_cast<std::size_t>(k)].f;
  carried = begin_carrying<T>(ws.bodies[i], column, IS);
  put_column(joint, body, body, at, Joint::is_successive ? k + 1 : Joint::nv, c, carried, out);
  add_by_q(carried, cross(column.S, ws.bodies[i].f));
  if constexpr (Joint::is_successive) {  // the velocities before are nearer to the base
    put_column(joint, body, body, at, k, c, carried, out);
    put_row(ws, body, body, k, c, carried, out);
  }
}

/// Carries what velocities of body i and beyond bring to the joint of its parent. All of them, body by body: each alone
/// on its way to the base would wait for itself.
template <Real T>
void carry(const Model& model, const LinkPoses<T>& poses, DerivativeWorkspace<T>& ws, std::size_t i,
           const Matrices<T>& out) {
  const std::span<const Body> bodies = model.bodies();
  const auto to = static_cast<std::size_t>(bodies[i].parent);
  const Body& parent = bodies[to];
  const Fourfold<T> x(poses[i]), there(poses[to]);
  with_joint(parent.kind, [&](auto joint) {
    const JointAt<Four<T>> at = joint_at(parent, there.pose);
    for (std::size_t n = ws.begin[i]; n < ws.end[i]; ++n) {
      auto& carried = ws.carried[n];
      const Carried<T> f = x.pose.to_parent(carried.f);
      const Body& of = bodies[static_cast<std::size_t>(carried.body)];
      put_column(joint, of, parent, at, joint.nv, carried.index, f, out);
      put_row(ws, of, parent, joint.nv, carried.index, f, out);
      carried.f = f;
    }
  });
}

/// Of motors that several joints share.
template <Real T>
void add_coupled_motors(const Model& model, std::span<const T> v, const Matrices<T>& out) {
  add_coupled_armature(model, out.M);
  for (const Coupling& coupling : model.couplings()) {
    for (const CoupledMotor& motor : coupling.motors) {
      const T slope =
          friction_slope(T(motor.viscous), T(motor.coulomb), motor.friction_speed, motor_speed(coupling, motor, v));
      for (std::size_t i = 0; i < coupling.v.size(); ++i)
        for (std::size_t j = 0; j < coupling.v.size(); ++j)
          out.dv(coupling.v[i], coupling.v[j]) += T(motor.gears[i] * motor.gears[j]) * slope;
    }
  }
}

template <Real T>
void add_joint_forces(const Model& model, std::span<const T> v, const Matrices<T>& out) {
  for (int k = 0; k < model.nv(); ++k) {
    const auto at = static_cast<std::size_t>(k);
    out.M(k, k) += T(model.armature()[at]);
    if (!model.has_passive()) continue;
    if (model.q_of_v()[at] >= 0) out.dq(k, k) += T(model.stiffness()[at]);
    out.dv(k, k) += friction_slope(T(model.viscous()[at]), T(model.coulomb()[at]), model.friction_speed(), v[at]);
  }
  if (model.has_couplings()) add_coupled_motors(model, v, out);
}

/// At these poses.
template <Real T>
void inverse_derivatives(const Model& model, const LinkPoses<T>& poses, DerivativeWorkspace<T>& ws,
                         std::span<const T> v, std::span<const T> a, const Matrices<T>& out) {
  outward(model, poses, ws, v, a);
  for (std::size_t i = ws.bodies.size(); i-- > 0;) {
    const Body& body = model.bodies()[i];
    const Fourfold<T> x(poses[i]);
    with_joint(body.kind, [&](auto joint) {
      const auto IS = joint.times(joint_at(body, poses[i]), ws.bodies[i].I);
      for (int k = 0; k < joint.nv; ++k)
        put_velocity(joint, model, ws, x.pose, i, k, IS[static_cast<std::size_t>(k)], out);
    });
    if (body.parent < 0) continue;
    hand_over(model, poses, ws, i);
    carry(model, poses, ws, i, out);
  }
  add_joint_forces(model, v, out);
}

/// Sizes, and zeros where bodies on different branches do not couple.
template <Real T>
void begin(const Model& model, std::initializer_list<MatrixView<T>> matrices) {
  for (const MatrixView<T>& m : matrices) {
    expect_square(model, m);
    if (!model.is_serial()) m.fill(T(0.0));
  }
}

}  // namespace derivatives_detail

template <Real T>
void inverse_derivatives(const Model& model, DerivativeWorkspace<T>& ws, VectorIn<T> q, VectorIn<T> v, VectorIn<T> a,
                         MatrixOut<T> dq, MatrixOut<T> dv, MatrixOut<T> M) {
  expect_size("q", q.size(), model.nq());
  expect_size("v", v.size(), model.nv());
  expect_size("a", a.size(), model.nv());
  derivatives_detail::begin<T>(model, {dq, dv, M});
  ws.poses.update(model, q);
  derivatives_detail::inverse_derivatives<T>(model, ws.poses, ws, v, a, {dq, dv, M});
}

}  // namespace ulna::newton_euler
