// The steps behind denoc.hpp, for scalars that the library does not hold.
#pragma once

#include "ulna/dynamics/denoc/denoc.hpp"
#include "ulna/dynamics/denoc/one_degree.hpp"
#include "ulna/dynamics/joint_forces.hpp"
#include "ulna/dynamics/method.hpp"
#include "ulna/dynamics/newton_euler/newton_euler_impl.hpp"
#include "ulna/model/body_inertia.hpp"

namespace ulna::denoc {

template <Real T>
Workspace<T>::Workspace(const Model& model)
    : poses(model),
      rates(model.bodies().size()),
      w(rates.size()),
      world(rates.size()),
      phi(rates.size()),
      M_tilde(rates.size()),
      M_hat(rates.size()),
      psi(rates.size()),
      eta(rates.size()),
      mu(rates.size()),
      m_hat(rates.size()),
      tau_tilde(rates.size()),
      zero(rates.size(), T(0.0)) {
  expect_scope("denoc", model);
}

template <Real T>
void inverse_dynamics(const Model& model, Workspace<T>& ws, VectorIn<T> q, VectorIn<T> v, VectorIn<T> a,
                      VectorOut<T> tau, Wrenches<T> external) {
  expect_size("q", q.size(), model.nq());
  expect_size("v", v.size(), model.nv());
  expect_size("a", a.size(), model.nv());
  expect_size("tau", tau.size(), model.nv());
  expect_wrenches(model, external);
  const std::span<const Body> link = model.bodies();
  ws.poses.update(model, q);
  // t_i = A_{i,i−1} t_{i−1} + p_i θ̇_i and its derivative; w_i = M_i ṫ_i + W_i M_i E_i t_i, eq. (1)
  // with the dot that is missing in print (erratum 2.1). Gravity as an acceleration of the base.
  newton_euler::outward(model, ws.poses, model.gravity(), v, a, ws.rates, ws.w);
  newton_euler::subtract_external(model, ws.poses, external, ws.world, ws.w);
  // w̃ = T_lᵀ w:  w̃_i = w_i + A_{i+1,i}ᵀ w̃_{i+1};  τ_i = p_iᵀ w̃_i
  for (std::size_t i = link.size(); i-- > 0;) {
    if (i + 1 < link.size()) ws.w[i] += ws.poses[i + 1].to_parent(ws.w[i + 1]);
    tau[i] = p_dot(link[i], ws.w[i]) + T(model.armature()[i]) * a[i];
  }
  add_passive_forces(model, q, v, 1.0, tau);
}

template <Real T>
void mass_matrix(const Model& model, Workspace<T>& ws, VectorIn<T> q, MatrixOut<T> I) {
  expect_size("q", q.size(), model.nq());
  expect_square(model, I);
  const std::span<const Body> link = model.bodies();
  ws.poses.update(model, q);
  for (std::size_t i = link.size(); i-- > 0;) {
    // M̃_i = M_i + B_{i+1,i}ᵀ M̃_{i+1} B_{i+1,i}, M̃_{n+1} = 0
    ws.M_tilde[i] = cast<T>(body_inertia<T>(link[i]));
    if (i + 1 < link.size()) ws.M_tilde[i] += ws.poses[i + 1].to_parent(ws.M_tilde[i + 1]);
    // i_ij = p_iᵀ M̃_i B_ij p_j = (B_ijᵀ M̃_i p_i)ᵀ p_j for j = i, …, 1
    Force<T> w = times_p(link[i], ws.M_tilde[i]);
    for (std::size_t j = i + 1; j-- > 0;) {
      const T element = p_dot(link[j], w);
      I(static_cast<int>(i), static_cast<int>(j)) = element;
      I(static_cast<int>(j), static_cast<int>(i)) = element;
      if (j > 0) w = ws.poses[j].to_parent(w);
    }
    I(static_cast<int>(i), static_cast<int>(i)) += T(model.armature()[i]);
  }
}

namespace detail {

/// Step A: the articulated masses M̂_i of eqs (26)–(28) and τ̂ = U⁻¹ φ by eqs (12), (13). The loop
/// runs to link 1 and adds each link's own inertia, which the printed steps A3, A4 do not (errata
/// 0.1, 0.3); φ stands where (12) prints τ (erratum 0.5).
template <Real T>
void step_a(const Model& model, Workspace<T>& ws) {
  const std::span<const Body> link = model.bodies();
  const std::size_t n = link.size();
  for (std::size_t i = n; i-- > 0;) {
    ArticulatedInertia<T> M_hat = i + 1 < n ? ws.M_hat[i] + cast<T>(body_inertia<T>(link[i]))
                                            : ArticulatedInertia<T>::from_rigid(cast<T>(body_inertia<T>(link[i])));
    const Force<T> eta_outer = i + 1 < n ? ws.eta[i] : Force<T>::zero();
    const Force<T> psi_hat = times_p(link[i], M_hat);                // (26)
    ws.m_hat[i] = p_dot(link[i], psi_hat) + T(model.armature()[i]);  // (26)
    ws.psi[i] = (T(1.0) / ws.m_hat[i]) * psi_hat;                    // (27)
    ws.tau_tilde[i] = ws.phi[i] - p_dot(link[i], eta_outer);         // (12)
    if (i == 0) break;
    const Force<T> eta = ws.tau_tilde[i] * ws.psi[i] + eta_outer;  // (13)
    ws.eta[i - 1] = ws.poses[i].to_parent(eta);                    // (13)
    M_hat.subtract_dyad(psi_hat, ws.psi[i]);                       // (28): M̂_ii
    ws.M_hat[i - 1] = ws.poses[i].to_parent(M_hat);                // (28)
  }
}

/// Steps B and C: θ̈ = U⁻ᵀ D⁻¹ τ̂ by eqs (14), (15). Step C3 prints μ(t) where μ(b) is meant
/// (erratum 0.2); as a shift of the whole six-vector there is nothing to mistake.
template <Real T>
void steps_b_and_c(const Model& model, Workspace<T>& ws, std::span<T> a) {
  const std::span<const Body> link = model.bodies();
  for (std::size_t i = 0; i < link.size(); ++i) {
    const T tau_tilde = ws.tau_tilde[i] / ws.m_hat[i];
    const Motion<T> mu_inner = i > 0 ? ws.poses[i].to_body(ws.mu[i - 1]) : Motion<T>::zero();  // (15)
    a[i] = tau_tilde - dot(ws.psi[i], mu_inner);                                               // (14)
    ws.mu[i] = p_times(link[i], a[i]) + mu_inner;                                              // (15)
  }
}

}  // namespace detail

template <Real T>
void forward_dynamics(const Model& model, Workspace<T>& ws, VectorIn<T> q, VectorIn<T> v, VectorIn<T> tau,
                      VectorOut<T> a, Wrenches<T> external) {
  expect_size("tau", tau.size(), model.nv());
  expect_size("a", a.size(), model.nv());
  inverse_dynamics(model, ws, q, v, ws.zero, ws.phi, external);
  for (std::size_t i = 0; i < a.size(); ++i) ws.phi[i] = tau[i] - ws.phi[i];  // eq. (1)
  detail::step_a(model, ws);
  detail::steps_b_and_c(model, ws, a);
}

}  // namespace ulna::denoc
