// The equation of one joint in A F_S = −B F_T, and what follows from its solution. Each needs only
// its two bodies, so that all joints can be done at once.
#pragma once

#include "ulna/dynamics/constraint_force/armature.hpp"

namespace ulna::constraint_force {

/// H F_T of a joint, nothing where F_T is an unknown.
template <Real T>
ULNA_INLINE Force<T> applied_force(const Model& model, const Workspace<T>& ws, std::size_t i) {
  const Body& body = model.bodies()[i];
  if (has_armature(model, body)) return Force<T>::zero();
  Six<T> s;
  s.fill(T(0.0));
  for (std::size_t r = locked_count(body.kind); r < 6; ++r) s[r] = ws.F_T[velocity_of(body, r)];
  return combine(body, ws.bias.poses[i], s);
}

/// V̇_i = I_i⁻¹ (F_i − P̂_i F_{i+1}), eq. (2.8).
template <Real T>
ULNA_INLINE void accelerate(const Model& model, Workspace<T>& ws, std::size_t i) {
  Force<T> f = ws.F[i];
  if (i + 1 < model.bodies().size()) f -= ws.bias.poses[i + 1].to_parent(ws.F[i + 1]);
  ws.V_dot[i] = cast<T>(ws.mobility[i]) * f;
}

/// V̇_i − P̂_{i−1}ᵗ V̇_{i−1}: what the joint itself contributes, eq. (2.7).
template <Real T>
ULNA_INLINE Motion<T> relative_acceleration(const Workspace<T>& ws, std::size_t i) {
  return i == 0 ? ws.V_dot[0] : ws.V_dot[i] - ws.bias.poses[i].to_body(ws.V_dot[i - 1]);
}

/// The columns of a mobility as motions: what each unit force does.
template <class T>
ULNA_INLINE std::array<Motion<T>, 6> columns(const Mobility<T>& a) {
  return {Motion<T>{a.aa.column_x(), a.al.row_x()},    Motion<T>{a.aa.column_y(), a.al.row_y()},
          Motion<T>{a.aa.column_z(), a.al.row_z()},    Motion<T>{a.al.column_x(), a.ll.column_x()},
          Motion<T>{a.al.column_y(), a.ll.column_y()}, Motion<T>{a.al.column_z(), a.ll.column_z()}};
}

/// A_ii = W_iᵗ (I_i⁻¹ + P̂_{i−1}ᵗ I_{i−1}⁻¹ P̂_{i−1}) W_i and A_{i−1,i} = −W_{i−1}ᵗ I_{i−1}⁻¹ P̂_{i−1} W_i of
/// (3.14). With a free base the first joint sees the base's mobility: that is A' of (4.13).
template <int n, Real T>
void form(const Model& model, const Workspace<T>& ws, std::size_t i, Block<T, n>& A, Block<T, n>& E) {
  const Body& body = model.bodies()[i];
  const LinkPose<T>& x = ws.bias.poses[i];
  const std::size_t count = unknown_count(model, body);
  A = Block<T, n>::zero();
  E = Block<T, n>::zero();
  Mobility<T> both = cast<T>(ws.mobility[i]);
  if (i > 0) {
    both = both + to_body_axes(x, at_point(cast<T>(ws.mobility[i - 1]), x.p));
    if (i > ws.first) {
      const Body& inner = model.bodies()[i - 1];
      const std::array<Motion<T>, 6> inner_columns =
          in_order(inner, ws.bias.poses[i - 1], columns(cast<T>(ws.mobility[i - 1])));
      for (std::size_t r = 0; r < unknown_count(model, inner); ++r) {
        const Six<T> row = project(body, x, x.to_body(inner_columns[r]));
        for (std::size_t c = 0; c < count; ++c) E(static_cast<int>(r), static_cast<int>(c)) = -row[c];
      }
    }
  }
  const std::array<Motion<T>, 6> own = in_order(body, x, columns(both));
  for (std::size_t c = 0; c < static_cast<std::size_t>(n); ++c) {
    if (c >= count) {
      A(static_cast<int>(c), static_cast<int>(c)) = T(1.0);
      continue;
    }
    const Six<T> column = project(body, x, own[c]);
    for (std::size_t r = 0; r < count; ++r) A(static_cast<int>(r), static_cast<int>(c)) = column[r];
  }
  add_armature(model, body, A);
}

/// What is left of Wᵗ (V̇_i − P̂_{i−1}ᵗ V̇_{i−1}) = 0, eq. (3.9), under the forces so far. At F_S = 0 that is −B F_T by
/// (3.15), and Ṙ_T10 of (4.10).
template <std::size_t n, Real T>
ULNA_INLINE void residual(const Model& model, const Workspace<T>& ws, std::size_t i, const std::array<T, n>& F_S,
                          std::array<T, n>& r) {
  const Body& body = model.bodies()[i];
  const std::size_t count = unknown_count(model, body);
  const Six<T> relative = project(body, ws.bias.poses[i], relative_acceleration(ws, i));
  for (std::size_t k = 0; k < n; ++k) r[k] = k < count ? -relative[k] : T(0.0);
  add_armature_residual(model, body, std::span<const T>(ws.F_T), F_S, r);
}

/// F_i = H F_T + W F_S, eq. (3.1).
template <std::size_t n, Real T>
ULNA_INLINE void compose(const Model& model, Workspace<T>& ws, std::size_t i, const std::array<T, n>& F_S) {
  const Body& body = model.bodies()[i];
  Six<T> s;
  s.fill(T(0.0));
  for (std::size_t r = 0; r < unknown_count(model, body); ++r) s[r] = F_S[r];
  ws.F[i] = applied_force(model, ws, i) + combine(body, ws.bias.poses[i], s);
}

/// q̈_i = H_iᵗ (V̇_i − P̂_{i−1}ᵗ V̇_{i−1}), eqs (3.10), (4.7); the base's own is (4.3).
template <Real T>
ULNA_INLINE void joint_acceleration(const Model& model, const Workspace<T>& ws, std::size_t i, std::span<T> a) {
  const Body& body = model.bodies()[i];
  const Six<T> s = project(body, ws.bias.poses[i], relative_acceleration(ws, i));
  for (std::size_t r = locked_count(body.kind); r < 6; ++r) a[velocity_of(body, r)] = s[r];
}

}  // namespace ulna::constraint_force
