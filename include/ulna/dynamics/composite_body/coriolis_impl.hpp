// The sweeps behind coriolis.hpp, for scalars that the library does not hold.
#pragma once

#include "ulna/dynamics/composite_body/coriolis.hpp"
#include "ulna/model/body_inertia.hpp"

namespace ulna::composite_body {

template <Real T>
CoriolisWorkspace<T>::CoriolisWorkspace(const Model& model)
    : poses(model),
      bodies(model.bodies().size()),
      S(static_cast<std::size_t>(model.column_count())),
      S_dot(static_cast<std::size_t>(model.column_count())) {}

namespace coriolis_detail {

/// Motions, inertia and B of every body in world axes.
template <Real T>
void outward(const Model& model, CoriolisWorkspace<T>& ws, std::span<const T> v) {
  for (std::size_t i = 0; i < ws.bodies.size(); ++i) {
    const Body& body = model.bodies()[i];
    auto& b = ws.bodies[i];
    const auto parent = static_cast<std::size_t>(body.parent);
    b.pose = ws.poses[i].in(body.parent < 0 ? Pose<T>::identity() : ws.bodies[parent].pose);
    if (body.parent < 0) b.pose.p = Vec3<T>::zero();  // the origin of all coordinates here
    b.v = body.parent < 0 ? Motion<T>::zero() : ws.bodies[parent].v;
    with_joint(body.kind, [&](auto joint) {
      const auto first = static_cast<std::size_t>(body.column), end = first + joint.nv;
      for (std::size_t k = first; k < end; ++k) {
        ws.S[k] = b.pose.to_outer(subspace_column<T>(joint, joint_at(body, ws.poses[i]), k - first));
        b.v += v[static_cast<std::size_t>(body.v_index) + k - first] * ws.S[k];
        if (joint.is_successive) ws.S_dot[k] = cross(b.v, ws.S[k]);
      }
      for (std::size_t k = first; !joint.is_successive && k < end; ++k) ws.S_dot[k] = cross(b.v, ws.S[k]);
    });
    b.I = b.pose.to_outer(cast<T>(body_inertia<T>(body)));
    const Force<T> momentum = b.I * b.v;
    const Mat3<T> W = skew(b.v.angular), V = skew(b.v.linear), h = skew(b.I.h), J = full(b.I.about_origin);
    // 2 Baa = ω×J − Jω× − v×h× − h×v× − n×
    b.Baa = T(0.5) * (W * J - J * W - V * h - h * V - skew(momentum.moment));
    b.f = momentum.force;
  }
}

/// F1 = I Ṡ + B S, F2 = I S, F3 = Bᵀ S of one column.
template <Real T>
struct ColumnForces {
  Force<T> F1, F2, F3;
};

template <Real T>
ColumnForces<T> column_forces(const typename CoriolisWorkspace<T>::BodyState& b, const Motion<T>& S,
                              const Motion<T>& S_dot) {
  return {b.I * S_dot + Force<T>{b.Baa * S.angular, -cross(b.f, S.angular)}, b.I * S,
          Force<T>{transpose_times(b.Baa, S.angular) + cross(b.f, S.linear), Vec3<T>::zero()}};
}

/// The elements of C that couple velocity c of a body with those of an ancestor.
template <Real T>
ULNA_INLINE void couple(const Body& body, const Body& ancestor, const CoriolisWorkspace<T>& ws, int c,
                        const ColumnForces<T>& F, const MatrixView<T>& C) {
  const int n = degrees_of(ancestor.kind);
  for (int k = 0; k < n; ++k) {
    const int r = ancestor.v_index + k;
    const auto below = static_cast<std::size_t>(ancestor.column + k);
    put(body, ancestor, C(r, c), dot(F.F1, ws.S[below]));
    put(body, ancestor, C(c, r), dot(F.F2, ws.S_dot[below]) + dot(F.F3, ws.S[below]));
  }
}

}  // namespace coriolis_detail

template <Real T>
void coriolis_matrix(const Model& model, CoriolisWorkspace<T>& ws, VectorIn<T> q, VectorIn<T> v, MatrixOut<T> C) {
  expect_size("q", q.size(), model.nq());
  expect_size("v", v.size(), model.nv());
  expect_square(model, C);
  C.fill(T(0.0));
  ws.poses.update(model, q);
  coriolis_detail::outward(model, ws, v);
  for (std::size_t i = ws.bodies.size(); i-- > 0;) {
    const Body& body = model.bodies()[i];
    const auto& b = ws.bodies[i];
    const int n = degrees_of(body.kind);
    for (int k = 0; k < n; ++k) {
      const auto at = static_cast<std::size_t>(body.column + k);
      const auto F = coriolis_detail::column_forces<T>(b, ws.S[at], ws.S_dot[at]);
      const int c = body.v_index + k;
      for (int r = 0; r < n; ++r)
        put(body, C(body.v_index + r, c), dot(F.F1, ws.S[static_cast<std::size_t>(body.column + r)]));
      for (int j = body.parent; j >= 0; j = model.bodies()[static_cast<std::size_t>(j)].parent)
        coriolis_detail::couple(body, model.bodies()[static_cast<std::size_t>(j)], ws, c, F, C);
    }
    if (body.parent < 0) continue;
    auto& p = ws.bodies[static_cast<std::size_t>(body.parent)];
    p.I += b.I;
    p.Baa += b.Baa;
    p.f += b.f;
  }
}

}  // namespace ulna::composite_body
