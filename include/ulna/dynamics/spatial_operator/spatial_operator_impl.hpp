// The recursions behind spatial_operator.hpp, for scalars that the library does not hold.
#pragma once

#include "ulna/dynamics/composite_body/composite_body_impl.hpp"
#include "ulna/dynamics/joint_forces.hpp"
#include "ulna/dynamics/method.hpp"
#include "ulna/dynamics/spatial_operator/spatial_operator.hpp"

namespace ulna::spatial_operator {

template <Real T>
Workspace<T>::Workspace(const Model& model)
    : poses(model),
      links(model.bodies().size()),
      V(links.size()),
      V_dot(links.size()),
      F(links.size()),
      D(links.size() * links.size()),
      h(links.size()),
      zero(links.size(), T(0.0)) {
  expect_scope("spatial_operator", model);
  for (int j = 0; j < model.body_count(); ++j)
    J.push_back(model.bodies()[static_cast<std::size_t>(j)].inertia.about_centre(model.com(j)));
}

namespace detail {

/// H_j, eq. (37): −h̃_ij s_ji over h_ij for a revolute joint. A prismatic one moves along h_ij; a
/// screw does both.
template <Real T>
ULNA_INLINE SpatialVector<T> joint_column(const Body& body, const Vec3<T>& h, const Vec3<T>& s) {
  return with_one_degree(body.kind, [&](auto joint) -> SpatialVector<T> {
    if constexpr (joint.has_pitch) return {T(body.joint.pitch) * h - cross(h, s), h};
    if constexpr (joint.rates[0].is_length) return {h, Vec3<T>::zero()};
    return {-cross(h, s), h};
  });
}

/// A, H, B and M of every link. The joint's point on link j is the origin of its body frame, h_ij the
/// z axis of that frame; s_ij and s_ji lead to the point from the two mass centres.
template <Real T>
void place(const Model& model, Workspace<T>& ws, std::span<const T> q) {
  ws.poses.update(model, q);
  for (std::size_t j = 0; j < ws.links.size(); ++j) {
    const Body& body = model.bodies()[j];
    Link<T>& link = ws.links[j];
    link.A = j == 0 ? ws.poses[0].rotation() : ws.links[j - 1].A * ws.poses[j].rotation();  // (6)
    const Vec3<T> s_ji = link.A * cast<T>(-model.com(static_cast<int>(j)));                 // (5)
    Vec3<T> s_ij = Vec3<T>::zero();
    if (j > 0) s_ij = ws.links[j - 1].A * (ws.poses[j].p - cast<T>(model.com(static_cast<int>(j) - 1)));  // (4)
    link.B = {s_ij - s_ji};                                                                               // (36), (3)
    link.H = joint_column(body, link.A.column_z(), s_ji);                                                 // (37)
    link.M = {T(body.inertia.mass), rotate(link.A, cast<T>(ws.J[j]))};                                    // (45), (46)
  }
}

/// Ḣ, Ḃ and Ω of every link. H_j is fixed in link j, so Ḣ_j is ω_j × both parts: what eq. (39) says
/// (with erratum 3.4) term by term. ṙ_ij of eq. (38) is ω_i × r_ij and what the joint adds.
template <Real T>
void differentiate(Workspace<T>& ws, std::span<const T> v) {
  Vec3<T> omega = Vec3<T>::zero();
  for (std::size_t j = 0; j < ws.links.size(); ++j) {
    Link<T>& link = ws.links[j];
    link.B_dot = {cross(omega, link.B.r) + v[j] * link.H.linear};              // (38)
    omega += v[j] * link.H.angular;                                            // (48)
    link.H_dot = {cross(omega, link.H.linear), cross(omega, link.H.angular)};  // (39)
    link.Omega = {omega, link.M.J};                                            // (47)
  }
}

/// F_G, eq. (49).
template <Real T>
ULNA_INLINE SpatialVector<T> weight(const Model& model, const Link<T>& link) {
  return {link.M.m * cast<T>(model.gravity()), Vec3<T>::zero()};
}

/// F_Q, eq. (50).
template <Real T>
ULNA_INLINE SpatialVector<T> load(const Force<T>& wrench) {
  return {wrench.force, wrench.moment};
}

/// T = HᵀΦᵀF in place: F := ΦᵀF inward, projected on the joints on the way, eqs (17) and (19).
template <Real T>
void inward(Workspace<T>& ws, T* tau) {
  for (std::size_t j = ws.links.size(); j-- > 0;) {
    tau[j] = dot(ws.links[j].H, ws.F[j]);                               // (18)
    if (j > 0) ws.F[j - 1] += transpose_times(ws.links[j].B, ws.F[j]);  // (15)
  }
}

/// Velocities and accelerations outward, then the rest of (15) for every link, and inward.
template <Real T>
void recursion(const Model& model, Workspace<T>& ws, std::span<const T> v, std::span<const T> a, T* tau,
               Wrenches<T> external) {
  for (std::size_t j = 0; j < ws.links.size(); ++j) {
    const Link<T>& l = ws.links[j];
    ws.V[j] = v[j] * l.H;                       // (8)
    ws.V_dot[j] = a[j] * l.H + v[j] * l.H_dot;  // (9)
    if (j > 0) {
      ws.V[j] += l.B * ws.V[j - 1];
      ws.V_dot[j] += l.B * ws.V_dot[j - 1] + l.B_dot * ws.V[j - 1];
    }
    ws.F[j] = l.M * ws.V_dot[j] - l.Omega * ws.V[j] - weight(model, l);
    if (!external.empty()) ws.F[j] += -load(external[j]);
  }
  inward(ws, tau);
}

/// D by (24). SpatialVector k: x = ΦHe_k outward, Mx, and inward as ever.
template <Real T>
void mass_columns(const Model& model, Workspace<T>& ws, const MatrixView<T>& D) {
  for (std::size_t k = 0; k < ws.links.size(); ++k) {
    SpatialVector<T> x = ws.links[k].H;
    for (std::size_t j = 0; j < ws.links.size(); ++j) {
      if (j > k) x = ws.links[j].B * x;
      ws.F[j] = j < k ? SpatialVector<T>::zero() : ws.links[j].M * x;
    }
    const int c = static_cast<int>(k);
    inward(ws, &D(0, c));
    for (int r = 0; r < c; ++r) D(c, r) = D(r, c);  // symmetric to the last bit
    D(c, c) += T(model.armature()[k]);
  }
  add_coupled_armature(model, D);
}

}  // namespace detail

template <Real T>
void inverse_dynamics(const Model& model, Workspace<T>& ws, VectorIn<T> q, VectorIn<T> v, VectorIn<T> a,
                      VectorOut<T> tau, Wrenches<T> external) {
  expect_size("q", q.size(), model.nq());
  expect_size("v", v.size(), model.nv());
  expect_size("a", a.size(), model.nv());
  expect_size("tau", tau.size(), model.nv());
  expect_wrenches(model, external);
  detail::place(model, ws, q);
  detail::differentiate(ws, v);
  detail::recursion(model, ws, v, a, tau.data(), external);
  add_passive_forces(model, q, v, 1.0, tau);
  add_rotor_forces<T>(model, a, tau);
}

template <Real T>
void forward_dynamics(const Model& model, Workspace<T>& ws, VectorIn<T> q, VectorIn<T> v, VectorIn<T> tau,
                      VectorOut<T> a, Wrenches<T> external) {
  expect_size("tau", tau.size(), model.nv());
  expect_size("a", a.size(), model.nv());
  inverse_dynamics(model, ws, q, v, ws.zero, ws.h, external);
  const MatrixView<T> D{ws.D.data(), model.nv(), model.nv()};
  detail::mass_columns(model, ws, D);
  for (std::size_t k = 0; k < a.size(); ++k) a[k] = tau[k] - ws.h[k];
  composite_body::factor(model, D);
  composite_body::solve(model, D, a);
}

template <Real T>
void mass_matrix(const Model& model, Workspace<T>& ws, VectorIn<T> q, MatrixOut<T> D) {
  expect_size("q", q.size(), model.nq());
  expect_square(model, D);
  detail::place(model, ws, q);
  detail::mass_columns(model, ws, D);
}

/// SpatialVector k: x = ΦHe_k and y = Φ(ḂΦH + Ḣ)e_k outward, then Φᵀ(My − Ωx) inward. Eq. (22) has the Ω
/// inside MΦ(…): erratum 3.2, (25) is right.
template <Real T>
void coriolis_matrix(const Model& model, Workspace<T>& ws, VectorIn<T> q, VectorIn<T> v, MatrixOut<T> C) {
  expect_size("q", q.size(), model.nq());
  expect_size("v", v.size(), model.nv());
  expect_square(model, C);
  detail::place(model, ws, q);
  detail::differentiate(ws, v);
  for (std::size_t k = 0; k < ws.links.size(); ++k) {
    SpatialVector<T> x = ws.links[k].H, y = ws.links[k].H_dot;
    for (std::size_t j = 0; j < ws.links.size(); ++j) {
      const Link<T>& l = ws.links[j];
      if (j > k) {
        y = l.B * y + l.B_dot * x;
        x = l.B * x;
      }
      ws.F[j] = j < k ? SpatialVector<T>::zero() : l.M * y - l.Omega * x;
    }
    detail::inward(ws, &C(0, static_cast<int>(k)));
  }
}

template <Real T>
void gravity(const Model& model, Workspace<T>& ws, VectorIn<T> q, VectorOut<T> G) {
  expect_size("q", q.size(), model.nq());
  expect_size("g", G.size(), model.nv());
  detail::place(model, ws, q);
  for (std::size_t j = 0; j < ws.links.size(); ++j) ws.F[j] = -detail::weight(model, ws.links[j]);
  detail::inward(ws, G.data());
}

template <Real T>
void external_forces(const Model& model, Workspace<T>& ws, VectorIn<T> q, Wrenches<T> external, VectorOut<T> Q) {
  expect_size("q", q.size(), model.nq());
  expect_size("Q", Q.size(), model.nv());
  expect_wrenches(model, external);
  detail::place(model, ws, q);
  for (std::size_t j = 0; j < ws.links.size(); ++j)
    ws.F[j] = external.empty() ? SpatialVector<T>::zero() : -detail::load(external[j]);
  detail::inward(ws, Q.data());
}

}  // namespace ulna::spatial_operator
