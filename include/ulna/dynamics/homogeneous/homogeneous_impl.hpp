// The sweeps behind homogeneous.hpp, for scalars that the library does not hold. Step numbers are
// those of the paper's flow chart (Fig. 4), section and equation numbers those of part 2.
#pragma once

#include "ulna/dynamics/composite_body/composite_body_impl.hpp"
#include "ulna/dynamics/homogeneous/homogeneous.hpp"
#include "ulna/dynamics/joint_forces.hpp"
#include "ulna/dynamics/method.hpp"

namespace ulna::homogeneous {

namespace detail {

/// L_{i(i)}, eq. (1): the joint's motion at unit rate. u = z turns, b = z slides, a screw has both.
inline Matrix4<double> joint_matrix(const Body& body) {
  return velocity_matrix(one_degree_column(body.kind, body.joint));
}

}  // namespace detail

// Joint i moves body i and has q[i]: with one-degree joints in series all counts agree.
template <Real T>
Workspace<T>::Workspace(const Model& model)
    : poses(model), links(model.bodies().size()), M(links.size() * links.size()), C(links.size()) {
  expect_scope("homogeneous", model);
  for (const Body& body : model.bodies()) {
    L_own.push_back(detail::joint_matrix(body));
    J_own.push_back(pseudo_inertia(body.inertia));
  }
}

namespace detail {

/// Steps 3, 5, 6 and 11: M_{0,i} = M_{0,i−1} M_{i−1,i}, then the joint's and the link's constants
/// referred to frame (0). J_{i(0)} needs M_{0,i}; step 11 prints M_{0,i−1} (erratum 4.8).
template <Real T>
void positions(const Model& model, Workspace<T>& ws, std::span<const T> q) {
  ws.poses.update(model, q);
  const Pose<T> base{Mat3<T>::identity(), cast<T>(-model.bodies()[0].placement.p)};  // the world in frame (0)
  Matrix4<T> M_0 = position_matrix(base);
  for (std::size_t i = 0; i < ws.links.size(); ++i) {
    LinkMatrices<T>& link = ws.links[i];
    M_0 = M_0 * position_matrix(Pose<T>{ws.poses[i].rotation(), ws.poses[i].p});
    link.M_0 = M_0;
    link.L_0 = refer_motion(M_0, cast<T>(ws.L_own[i]));
    link.J_0 = refer_action(M_0, cast<T>(ws.J_own[i]));
  }
}

/// Steps 4 and 7 to 9, eq. (11): W_{i−1,i} = L q̇, H_{i−1,i} = L q̈ + L² q̇², then Coriolis' theorem.
/// With `a` empty, H is the paper's H̃ (3bis): the accelerations at q̈ = 0.
template <Real T>
void motions(Workspace<T>& ws, std::span<const T> v, std::span<const T> a) {
  Matrix4<T> W_0 = Matrix4<T>::zero(), H_0 = Matrix4<T>::zero();
  for (std::size_t i = 0; i < ws.links.size(); ++i) {
    LinkMatrices<T>& link = ws.links[i];
    const Matrix4<T> W_relative = v[i] * link.L_0;
    H_0 += (T(2.0) * W_0 + W_relative) * W_relative;
    if (!a.empty()) H_0 += a[i] * link.L_0;
    W_0 += W_relative;
    link.W_0 = W_0;
    link.H_0 = H_0;
  }
}

/// Step 10: the external actions Φ_{i(0)}, from wrenches at mass centres and the tip's action.
template <Real T>
void external_actions(const Model& model, Workspace<T>& ws, Wrenches<T> external, const Force<T>& on_tip) {
  for (std::size_t i = 0; i < ws.links.size(); ++i) {
    LinkMatrices<T>& link = ws.links[i];
    link.Phi_0 = Matrix4<T>::zero();
    if (external.empty()) continue;
    const Vec3<T> centre_0 = link.M_0.block() * cast<T>(model.com(static_cast<int>(i))) + link.M_0.column();
    link.Phi_0 = action_matrix(Force<T>{external[i].moment + cross(centre_0, external[i].force), external[i].force});
  }
  const Frame& tip = model.tip();
  if (tip.body < 0) return;  // stands on the ground: no joint feels it
  LinkMatrices<T>& link = ws.links[static_cast<std::size_t>(tip.body)];
  link.Phi_0 += refer_action(link.M_0 * position_matrix(cast<T>(tip.pose)), action_matrix(on_tip));
}

/// Steps 12 and 13: Ψ_i = Ψ_{i+1} + skew{(H_g − H_i) J_i} + Φ_i, as Fig. 4 and sec. 4.2 have it;
/// sec. 2.3 prints the sign of the inertia term and the index otherwise (erratum 4.5).
template <Real T>
void actions(const Model& model, Workspace<T>& ws) {
  const Matrix4<T> Hg_0 = gravity_matrix(cast<T>(model.gravity()));
  Matrix4<T> Psi_0 = Matrix4<T>::zero();
  for (std::size_t i = ws.links.size(); i-- > 0;) {
    LinkMatrices<T>& link = ws.links[i];
    Psi_0 += skew((Hg_0 - link.H_0) * link.J_0) + link.Phi_0;
    link.Psi_0 = Psi_0;
  }
}

/// The whole of Fig. 6: kinematics outward, actions inward.
template <Real T>
void sample_program(const Model& model, Workspace<T>& ws, std::span<const T> q, std::span<const T> v,
                    std::span<const T> a, Wrenches<T> external, const Force<T>& on_tip) {
  expect_size("q", q.size(), model.nq());
  expect_size("v", v.size(), model.nv());
  expect_size("a", a.size(), model.nv());
  expect_wrenches(model, external);
  positions(model, ws, q);
  motions(ws, v, a);
  external_actions(model, ws, external, on_tip);
  actions(model, ws);
}

}  // namespace detail

/// τ_i = −Ψ_i ⊗ L_i (erratum 4.5): Ψ acts on link i−1, the drive on link i.
template <Real T>
void inverse_dynamics(const Model& model, Workspace<T>& ws, VectorIn<T> q, VectorIn<T> v, VectorIn<T> a,
                      VectorOut<T> tau, Wrenches<T> external, const Force<T>& on_tip) {
  expect_size("tau", tau.size(), model.nv());
  detail::sample_program(model, ws, q, v, a, external, on_tip);
  for (std::size_t i = 0; i < tau.size(); ++i) tau[i] = -pseudo_product(ws.links[i].Psi_0, ws.links[i].L_0);
  add_passive_forces(model, q, v, 1.0, tau);
  add_rotor_forces<T>(model, a, tau);
}

template <Real T>
void joint_actions(const Model& model, Workspace<T>& ws, VectorIn<T> q, VectorIn<T> v, VectorIn<T> a,
                   VectorOut<Force<T>> actions, Wrenches<T> external, const Force<T>& on_tip) {
  expect_size("the list of joint actions", actions.size(), model.body_count());
  detail::sample_program(model, ws, q, v, a, external, on_tip);
  for (std::size_t i = 0; i < actions.size(); ++i)
    actions[i] = T(-1.0) * force_of(refer_action(inverse_position(ws.links[i].M_0), ws.links[i].Psi_0));
}

namespace detail {

/// M[i,m] = Trace[Σ_{h ≥ max(i,m)} L_i J_h L_mᵗ]: in frame (0) the J_h of all outer links just add.
template <Real T>
void mass_traces(const Model& model, const Workspace<T>& ws, MatrixView<T> M) {
  Matrix4<T> sum_J_0 = Matrix4<T>::zero();
  for (int m = model.nv() - 1; m >= 0; --m) {
    const LinkMatrices<T>& link = ws.links[static_cast<std::size_t>(m)];
    sum_J_0 += link.J_0;
    const Matrix4<T> LJ_0 = link.L_0 * sum_J_0;
    for (int i = 0; i <= m; ++i)
      M(i, m) = M(m, i) = trace_with_transpose(LJ_0, ws.links[static_cast<std::size_t>(i)].L_0);
    M(m, m) += T(model.armature()[static_cast<std::size_t>(m)]);
  }
  add_coupled_armature(model, M);
}

/// C[m] = Trace[Σ_{h≥m} (H̃_h − H_g) J_h L_mᵗ] − L_m ⊗ Σ_{h≥m} Φ_h; the second sum is printed with
/// index m (erratum 4.10). −H_g is the gradient of eq. (9), whose sign sec. 3 misprints on the way
/// here (erratum 4.6).
template <Real T>
void velocity_and_gravity_traces(const Model& model, const Workspace<T>& ws, std::span<T> C) {
  const Matrix4<T> Hg_0 = gravity_matrix(cast<T>(model.gravity()));
  Matrix4<T> sum_HJ_0 = Matrix4<T>::zero(), sum_Phi_0 = Matrix4<T>::zero();
  for (std::size_t m = ws.links.size(); m-- > 0;) {
    const LinkMatrices<T>& link = ws.links[m];
    sum_HJ_0 += (link.H_0 - Hg_0) * link.J_0;
    sum_Phi_0 += link.Phi_0;
    C[m] = trace_with_transpose(sum_HJ_0, link.L_0) - pseudo_product(link.L_0, sum_Phi_0);
  }
}

}  // namespace detail

template <Real T>
void mass_matrix(const Model& model, Workspace<T>& ws, VectorIn<T> q, MatrixOut<T> M) {
  expect_size("q", q.size(), model.nq());
  expect_square(model, M);
  detail::positions(model, ws, q);
  detail::mass_traces(model, ws, M);
}

template <Real T>
void velocity_and_gravity(const Model& model, Workspace<T>& ws, VectorIn<T> q, VectorIn<T> v, VectorOut<T> C,
                          Wrenches<T> external, const Force<T>& on_tip) {
  expect_size("q", q.size(), model.nq());
  expect_size("v", v.size(), model.nv());
  expect_size("C", C.size(), model.nv());
  expect_wrenches(model, external);
  detail::positions(model, ws, q);
  detail::motions(ws, v, {});
  detail::external_actions(model, ws, external, on_tip);
  detail::velocity_and_gravity_traces(model, ws, C);
}

template <Real T>
void forward_dynamics(const Model& model, Workspace<T>& ws, VectorIn<T> q, VectorIn<T> v, VectorIn<T> tau,
                      VectorOut<T> a, Wrenches<T> external, const Force<T>& on_tip) {
  expect_size("tau", tau.size(), model.nv());
  expect_size("a", a.size(), model.nv());
  const MatrixView<T> M{ws.M.data(), model.nv(), model.nv()};
  const std::span<T> C(ws.C);
  velocity_and_gravity(model, ws, q, v, C, external, on_tip);
  add_passive_forces(model, q, v, 1.0, C);
  detail::mass_traces(model, ws, M);  // at the same positions
  for (std::size_t k = 0; k < a.size(); ++k) a[k] = tau[k] - C[k];
  composite_body::factor(model, M);
  composite_body::solve(model, M, a);
}

/// g[m] = Trace[−H_g Σ_{h≥m} J_h L_mᵗ], which is +∂V/∂q of eq. (9) (erratum 4.6).
template <Real T>
void gravity(const Model& model, Workspace<T>& ws, VectorIn<T> q, VectorOut<T> g) {
  expect_size("q", q.size(), model.nq());
  expect_size("g", g.size(), model.nv());
  detail::positions(model, ws, q);
  const Matrix4<T> minus_Hg_0 = gravity_matrix(cast<T>(-model.gravity()));
  Matrix4<T> sum_J_0 = Matrix4<T>::zero();
  for (std::size_t m = ws.links.size(); m-- > 0;) {
    sum_J_0 += ws.links[m].J_0;
    g[m] = trace_with_transpose(minus_Hg_0 * sum_J_0, ws.links[m].L_0);
  }
}

}  // namespace ulna::homogeneous
