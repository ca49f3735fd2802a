// The sums behind convective_inertia.hpp, for scalars that the library does not hold.
//
// Both kinds of element of eq. (10) need Σ_k A_kiᵀ (M_k Ȧ_ki + W_k M_k E_k A_ki) over the links k from
// i outward. Ȧ_ki p = [0; e × (ȯ_k − ȯ_i)] by eq. (12), so that sum is a matrix Ñ_i on the angular
// part of a twist, and step by step inward
//   Ñ_i = W_i M_i E_i + A_{i+1,i}ᵀ (Ñ_{i+1} A_{i+1,i} + M̃_{i+1} Ȧ_{i+1,i}).
#pragma once

#include "ulna/dynamics/denoc/convective_inertia.hpp"
#include "ulna/dynamics/denoc/one_degree.hpp"
#include "ulna/dynamics/method.hpp"
#include "ulna/model/body_inertia.hpp"

namespace ulna::denoc {

template <Real T>
ConvectiveWorkspace<T>::ConvectiveWorkspace(const Model& model) : poses(model), links(model.bodies().size()) {
  expect_scope("denoc", model);
}

namespace convective_detail {

/// Twists outward: t_i = A_{i,i−1} t_{i−1} + p_i θ̇_i.
template <Real T>
void outward(const Model& model, ConvectiveWorkspace<T>& ws, std::span<const T> v) {
  for (std::size_t i = 0; i < ws.links.size(); ++i) {
    auto& link = ws.links[i];
    link.twist = p_times(model.bodies()[i], v[i]);
    if (i > 0) link.twist += ws.poses[i].to_body(ws.links[i - 1].twist);
  }
}

/// M̃ and Ñ inward, eqs (12), (13).
template <Real T>
void inward(const Model& model, ConvectiveWorkspace<T>& ws, std::span<const T> v) {
  for (std::size_t i = ws.links.size(); i-- > 0;) {
    auto& link = ws.links[i];
    const RigidInertia<T> M = cast<T>(body_inertia<T>(model.bodies()[i]));
    const Vec3<T>& omega = link.twist.angular;
    link.M_tilde = M;
    link.N_tilde = {cross(omega, full(M.about_origin)), -double_cross(omega, M.h)};
    if (i + 1 == ws.links.size()) continue;
    const auto& outer = ws.links[i + 1];
    const LinkPose<T>& x = ws.poses[i + 1];
    const RigidInertia<T> carried = x.to_parent(outer.M_tilde);
    const Vec3<T> d_dot = cross(omega, x.p) + x.rotate_out(p_times(model.bodies()[i + 1], v[i + 1]).linear);
    const Mat3<T> la = x.rotate_out(outer.N_tilde.la);
    link.M_tilde += carried;
    link.N_tilde.aa += x.rotate_out(outer.N_tilde.aa) + cross(x.p, la) - double_cross(carried.h, d_dot);
    link.N_tilde.la += la - skew(carried.mass * d_dot);
  }
}

}  // namespace convective_detail

template <Real T>
void convective_inertia(const Model& model, ConvectiveWorkspace<T>& ws, VectorIn<T> q, VectorIn<T> v, MatrixOut<T> C) {
  expect_size("q", q.size(), model.nq());
  expect_size("v", v.size(), model.nv());
  expect_square(model, C);
  ws.poses.update(model, q);
  convective_detail::outward(model, ws, v);
  convective_detail::inward(model, ws, v);
  for (std::size_t i = ws.links.size(); i-- > 0;) {
    const auto& link = ws.links[i];
    const Motion<T> p = p_times(model.bodies()[i], T(1.0));
    const Vec3<T>&e = p.angular, &omega = link.twist.angular;
    const Motion<T> rate{cross(omega, e), cross(omega, p.linear)};  // ṗ_i = W_i p_i
    Force<T> column = link.M_tilde * rate + Force<T>{link.N_tilde.aa * e, link.N_tilde.la * e};
    Force<T> M_p = times_p(model.bodies()[i], link.M_tilde);
    // Ñ_iᵀ p_i, and what M̃_i Ȧ_ij adds for the motion of O_i; that of O_j is taken off below
    Vec3<T> N_p = transpose_times(link.N_tilde.aa, e) + transpose_times(link.N_tilde.la, p.linear) +
                  cross(link.twist.linear, M_p.force);
    C(static_cast<int>(i), static_cast<int>(i)) = denoc::p_dot(model.bodies()[i], column);
    for (std::size_t j = i; j-- > 0;) {
      column = ws.poses[j + 1].to_parent(column);
      M_p = ws.poses[j + 1].to_parent(M_p);
      N_p = ws.poses[j + 1].rotate_out(N_p);
      const Body& inner = model.bodies()[j];
      const Motion<T> p_j = p_times(inner, T(1.0));
      // row j, column i: c_ji = p_jᵀ A_ijᵀ (M̃_i W_i + A_{i+1,i}ᵀ H̃_{i+1,i} + M̃_i) p_i
      C(static_cast<int>(j), static_cast<int>(i)) = denoc::p_dot(inner, column);
      // row i, column j: c_ij = p_iᵀ (M̃_i A_ij W_j + H̃_ij + M̃_i A_ij) p_j
      C(static_cast<int>(i), static_cast<int>(j)) = dot(M_p, cross(ws.links[j].twist, p_j)) + dot(N_p, p_j.angular);
    }
  }
}

}  // namespace ulna::denoc
