// The sums behind convective_inertia.hpp, for scalars that the library does not hold.
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

/// A_ij t: the twist t of a body at O_j, seen at the point O_j + d.
template <Real T>
ULNA_INLINE Motion<T> shifted(const Motion<T>& t, const Vec3<T>& d) {
  return {t.angular, t.linear + cross(t.angular, d)};
}
/// A_ijᵀ w: the wrench w at O_j + d, seen at O_j.
template <Real T>
ULNA_INLINE Force<T> shifted_back(const Force<T>& w, const Vec3<T>& d) {
  return {w.moment + cross(d, w.force), w.force};
}

/// Twists outward: t_i = A_{i,i−1} t_{i−1} + p_i θ̇_i.
template <Real T>
void outward(const Model& model, ConvectiveWorkspace<T>& ws, std::span<const T> v) {
  for (std::size_t i = 0; i < ws.links.size(); ++i) {
    auto& link = ws.links[i];
    link.pose = ws.poses[i].in(i > 0 ? ws.links[i - 1].pose : Pose<T>::identity());
    const Motion<T> own = p_times(model.bodies()[i], T(1.0));
    link.p = {link.pose.R * own.angular, link.pose.R * own.linear};
    Motion<T> t = v[i] * link.p;
    if (i > 0) {
      const auto& inner = ws.links[i - 1];
      t += shifted(Motion<T>{inner.omega, inner.velocity}, link.pose.p - inner.pose.p);
    }
    link.omega = t.angular;
    link.velocity = t.linear;
    link.p_dot = {cross(link.omega, link.p.angular), cross(link.omega, link.p.linear)};  // W_i p_i
  }
}

/// M̃, the composite W M E and H̃ inward, eqs (12), (13).
template <Real T>
void inward(const Model& model, ConvectiveWorkspace<T>& ws) {
  for (std::size_t i = ws.links.size(); i-- > 0;) {
    auto& link = ws.links[i];
    const RigidInertia<T> body = cast<T>(model.bodies()[i].inertia);
    const RigidInertia<T> M{body.mass, link.pose.R * body.h, rotate(link.pose.R, body.about_origin)};
    const Mat3<T> W = skew(link.omega);
    link.M_tilde = SixMatrix<T>::from_rigid(M);
    link.WME_tilde = {W * link.M_tilde.aa, Mat3<T>::zero(), W * link.M_tilde.la, Mat3<T>::zero()};
    link.H_tilde = SixMatrix<T>::zero();
    if (i + 1 == ws.links.size()) continue;
    const auto& outer = ws.links[i + 1];
    const Vec3<T> d = outer.pose.p - link.pose.p, d_dot = outer.velocity - link.velocity;
    link.M_tilde += outer.M_tilde.times_shift(d).shift_transposed(d);
    link.WME_tilde += outer.WME_tilde.times_shift(d).shift_transposed(d);
    // H̃_{i+1,i} = M̃_{i+1} Ȧ_{i+1,i} + (A_{i+2,i+1}ᵀ H̃_{i+2,i+1}) A_{i+1,i}, eq. (12)
    const SixMatrix<T> H = outer.M_tilde.times_shift_rate(d_dot) + outer.H_tilde.times_shift(d);
    link.H_tilde = H.shift_transposed(d);
  }
}

}  // namespace convective_detail

template <Real T>
void convective_inertia(const Model& model, ConvectiveWorkspace<T>& ws, std::span<const T> q, std::span<const T> v,
                        MatrixView<T> C) {
  using convective_detail::shifted, convective_detail::shifted_back;
  expect_size("q", q.size(), model.nq());
  expect_size("v", v.size(), model.nv());
  expect_square(model, C);
  ws.poses.update(model, q);
  convective_detail::outward(model, ws, v);
  convective_detail::inward(model, ws);
  for (std::size_t j = 0; j < ws.links.size(); ++j) {
    const auto& lj = ws.links[j];
    // i ≤ j: c_ij = p_iᵀ A_jiᵀ (M̃_j W_j + A_{j+1,j}ᵀ H̃_{j+1,j} + M̃_j) p_j
    const Force<T> w = lj.M_tilde * lj.p_dot + lj.H_tilde * lj.p + lj.WME_tilde * lj.p;
    for (std::size_t i = 0; i <= j; ++i) {
      const auto& li = ws.links[i];
      C(static_cast<int>(i), static_cast<int>(j)) = dot(shifted_back(w, lj.pose.p - li.pose.p), li.p);
    }
    // i > j: c_ij = p_iᵀ (M̃_i A_ij W_j + H̃_ij + M̃_i A_ij) p_j, H̃_ij by eq. (12)
    for (std::size_t i = j + 1; i < ws.links.size(); ++i) {
      const auto& li = ws.links[i];
      const Vec3<T> d = li.pose.p - lj.pose.p, d_dot = li.velocity - lj.velocity;
      const Motion<T> p = shifted(lj.p, d), p_dot = shifted(lj.p_dot, d);
      const Motion<T> p_shift_rate{Vec3<T>::zero(), cross(lj.p.angular, d_dot)};  // Ȧ_ij p_j
      const Force<T> element = li.M_tilde * (p_dot + p_shift_rate) + li.H_tilde * p + li.WME_tilde * p;
      C(static_cast<int>(i), static_cast<int>(j)) = dot(element, li.p);
    }
  }
}

}  // namespace ulna::denoc
