// The sums behind convective_inertia.hpp, for scalars that the library does not hold.
//
// Both kinds of element of eq. (10) need Σ_k A_kiᵀ (M_k Ȧ_kj + W_k M_k E_k A_kj) p_j over the links k
// from max(i, j) outward. Ȧ_kj p_j = [0; e_j × (ȯ_k − ȯ_j)] by eq. (12), so that is Ñ e_j with
//   N_k = [ω_k × I_k − h_k × (ȯ_k × ·);  −ω_k × (h_k × ·) − m_k ȯ_k × ·]
// summed inward, less M̃ [0; e_j × ȯ_j].
#pragma once

#include "ulna/dynamics/denoc/convective_inertia.hpp"
#include "ulna/dynamics/denoc/one_degree.hpp"
#include "ulna/dynamics/method.hpp"

namespace ulna::denoc {

template <Real T>
ConvectiveWorkspace<T>::ConvectiveWorkspace(const Model& model) : poses(model), links(model.bodies().size()) {
  expect_scope("denoc", model);
}

namespace convective_detail {

/// [a]× [b]× = b aᵀ − (a·b) 1
template <Real T>
ULNA_INLINE Mat3<T> double_cross(const Vec3<T>& a, const Vec3<T>& b) {
  const T xx = a.x * b.x, yy = a.y * b.y, zz = a.z * b.z;
  return {-(yy + zz), a.y * b.x, a.z * b.x, a.x * b.y, -(xx + zz), a.z * b.y, a.x * b.z, a.y * b.z, -(xx + yy)};
}

/// [a]× S
template <Real T>
ULNA_INLINE Mat3<T> cross_columns(const Vec3<T>& a, const Mat3<T>& m) {
  return Mat3<T>::from_columns(cross(a, m.column_x()), cross(a, m.column_y()), cross(a, m.column_z()));
}

/// Twists outward: t_i = A_{i,i−1} t_{i−1} + p_i θ̇_i.
template <Real T>
void outward(const Model& model, ConvectiveWorkspace<T>& ws, std::span<const T> v) {
  for (std::size_t i = 0; i < ws.links.size(); ++i) {
    auto& link = ws.links[i];
    link.carried = i > 0 ? ws.poses[i].to_body(ws.links[i - 1].twist) : Motion<T>::zero();
    link.twist = link.carried + p_times(model.bodies()[i], v[i]);
  }
}

/// M̃ and Ñ inward, eqs (12), (13).
template <Real T>
void inward(const Model& model, ConvectiveWorkspace<T>& ws) {
  for (std::size_t i = ws.links.size(); i-- > 0;) {
    auto& link = ws.links[i];
    const RigidInertia<T> M = cast<T>(model.bodies()[i].inertia);
    const Vec3<T>&omega = link.twist.angular, &o_dot = link.twist.linear;
    link.M_tilde = M;
    link.N_tilde = {cross_columns(omega, full(M.about_origin)) - double_cross(M.h, o_dot),
                    -(double_cross(omega, M.h) + skew(M.mass * o_dot))};
    if (i + 1 == ws.links.size()) continue;
    const auto& outer = ws.links[i + 1];
    const LinkPose<T>& x = ws.poses[i + 1];
    link.M_tilde += x.to_parent(outer.M_tilde);
    const Mat3<T> la = x.rotate_out(outer.N_tilde.la);
    link.N_tilde.aa += x.rotate_out(outer.N_tilde.aa) + cross_columns(x.p, la);
    link.N_tilde.la += la;
  }
}

}  // namespace convective_detail

template <Real T>
void convective_inertia(const Model& model, ConvectiveWorkspace<T>& ws, std::span<const T> q, std::span<const T> v,
                        MatrixView<T> C) {
  expect_size("q", q.size(), model.nq());
  expect_size("v", v.size(), model.nv());
  expect_square(model, C);
  ws.poses.update(model, q);
  convective_detail::outward(model, ws, v);
  convective_detail::inward(model, ws);
  for (std::size_t i = ws.links.size(); i-- > 0;) {
    const auto& link = ws.links[i];
    const Motion<T> p = p_times(model.bodies()[i], T(1.0));
    const Vec3<T>&e = p.angular, &o_dot = link.twist.linear;
    // ṗ_i = W_i p_i, less the [0; e_i × ȯ_i] that Ñ has too much
    const Motion<T> rate{cross(link.twist.angular, e), cross(link.twist.angular, p.linear) - cross(e, o_dot)};
    Force<T> column = link.M_tilde * rate + Force<T>{link.N_tilde.aa * e, link.N_tilde.la * e};
    Force<T> M_p = times_p(model.bodies()[i], link.M_tilde);
    Vec3<T> N_p = transpose_times(link.N_tilde.aa, e) + transpose_times(link.N_tilde.la, p.linear);
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
