// The sweeps behind convective_inertia.hpp, for scalars that the library does not hold.
//
// Let v′ be the velocity of a body's frame without its own joint, v = v′ + S q̇ with it, and I, h, P
// belong to the body with all it carries. With the rows of this joint and of those nearer to the
// base, its column is what its rate adds to the wrench: F₁. With the columns of joints nearer to the
// base, its row is the wrench of the whole moving rigidly with v′: F₂ = I S on their accelerations
// v × S, and the couple G = Bᵀ S on their axes, where B v′ = v′ ×* I v′.
#pragma once

#include "ulna/dynamics/newton_euler/convective_inertia.hpp"
#include "ulna/model/body_inertia.hpp"

namespace ulna::newton_euler {

template <Real T>
ConvectiveWorkspace<T>::ConvectiveWorkspace(const Model& model)
    : poses(model), carried(model.bodies().size()), own(carried.size()), composite(carried.size()) {}

namespace convective_detail {

template <Real T, class C>
ULNA_INLINE Moments<T> moments_of(const RigidInertia<C>& a) {
  return {T(a.mass), cast<T>(a.h), cast<T>(second_moments(a.about_origin))};
}

template <Real T>
ULNA_INLINE RigidInertia<T> inertia_of(const Moments<T>& a) {
  const Sym3<T>& P = a.P;
  return {a.mass, a.h, {P.yy + P.zz, P.xx + P.zz, P.xx + P.yy, -P.xy, -P.xz, -P.yz}};
}

template <Real T>
ULNA_INLINE Moments<T> to_parent(const LinkPose<T>& x, const Moments<T>& a) {
  const Vec3<T> h = x.rotate_out(a.h), p = x.p;
  const Sym3<T> P = x.rotate_out(a.P);
  const Vec3<T> moved = h + a.mass * p, s = h + moved, k = T(0.5) * s;
  return {a.mass, moved,
          Sym3<T>{P.xx + p.x * s.x, P.yy + p.y * s.y, P.zz + p.z * s.z, P.xy + (p.x * k.y + p.y * k.x),
                  P.xz + (p.x * k.z + p.z * k.x), P.yz + (p.y * k.z + p.z * k.y)}};
}

template <Real T>
struct ColumnForces {
  Force<T> F1, F2;
  Vec3<T> G;
};

template <Real T>
ULNA_INLINE ColumnForces<T> column_forces(const Moments<T>& a, const Motion<T>& carried, const Motion<T>& own,
                                          const Motion<T>& S, const Force<T>& F2) {
  const Vec3<T>&e = S.angular, &u = S.linear;
  const Vec3<T> w = carried.angular + own.angular;
  const Vec3<T> momentum = a.mass * carried.linear + cross(carried.angular, a.h);
  return {{cross(a.P * w, e) + cross(a.h, cross(w, u)), cross(w, F2.force)},
          F2,
          a.P * cross(carried.angular, e) - cross(carried.linear, cross(a.h, e)) + cross(momentum, u)};
}

template <Real T>
void outward(const Model& model, ConvectiveWorkspace<T>& ws, std::span<const T> v) {
  for (std::size_t i = 0; i < ws.own.size(); ++i) {
    const Body& body = model.bodies()[i];
    ws.carried[i] =
        body.parent < 0 ? Motion<T>::zero() : ws.poses[i].to_body(ws.own[static_cast<std::size_t>(body.parent)]);
    ws.own[i] = ws.carried[i];
    with_joint(body.kind, [&](auto joint) {
      joint.add_motion(joint_at(body, ws.poses[i]), &v[static_cast<std::size_t>(body.v_index)], ws.own[i]);
    });
  }
}

/// The elements that couple degree of freedom c of a body, whose column stands in body j, with the first n of j.
template <class Joint, Real T>
ULNA_INLINE void couple(Joint joint, const Model& model, const ConvectiveWorkspace<T>& ws, std::span<const T> v,
                        const Body& of, std::size_t j, std::size_t n, int c, const ColumnForces<T>& column,
                        const MatrixView<T>& C) {
  const Body& body = model.bodies()[j];
  const JointAt<T> at = joint_at(body, ws.poses[j]);
  for (std::size_t k = 0; k < n; ++k) {
    const int r = body.v_index + static_cast<int>(k);
    const Motion<T> S = subspace_column<T>(joint, at, k);
    const Motion<T> under =
        Joint::is_successive
            ? velocity_of_column(joint, at, &v[static_cast<std::size_t>(body.v_index)], k, ws.carried[j])
            : ws.own[j];
    put(of, body, C(r, c), joint.project(at, column.F1)[k]);
    put(of, body, C(c, r), dot(column.F2, cross(under, S)) + dot(column.G, S.angular));
  }
}

/// The column of degree of freedom k of body i, at the body.
template <class Joint, Real T>
ULNA_INLINE ColumnForces<T> own_column_forces(Joint joint, const Body& body, const ConvectiveWorkspace<T>& ws,
                                              std::span<const T> v, std::size_t i, std::size_t k, const Force<T>& F2) {
  const JointAt<T> at = joint_at(body, ws.poses[i]);
  const Motion<T> S = subspace_column<T>(joint, at, k);
  if constexpr (!Joint::is_successive) return column_forces(ws.composite[i], ws.carried[i], ws.own[i], S, F2);
  const T* rates = &v[static_cast<std::size_t>(body.v_index)];
  const Motion<T> own = velocity_of_column(joint, at, rates, k, ws.carried[i]);
  return column_forces(ws.composite[i], own - rates[k] * S, own, S, F2);
}

/// The columns of body i's degrees of freedom, at the body, and what couples these degrees with each other.
template <Real T>
std::size_t begin_columns(const Model& model, ConvectiveWorkspace<T>& ws, std::span<const T> v, std::size_t i,
                          const MatrixView<T>& C, std::array<ColumnForces<T>, 6>& columns) {
  const Body& body = model.bodies()[i];
  return with_joint(body.kind, [&](auto joint) {
    const JointAt<T> joint_here = joint_at(body, ws.poses[i]);
    const auto F2 = joint.times(joint_here, inertia_of(ws.composite[i]));
    for (std::size_t k = 0; k < joint.nv; ++k) {
      columns[k] = own_column_forces(joint, body, ws, v, i, k, F2[k]);
      const int c = body.v_index + static_cast<int>(k);
      if (joint.is_successive) couple(joint, model, ws, v, body, i, k, c, columns[k], C);
      const auto own = joint.project(joint_here, columns[k].F1);
      for (std::size_t r = joint.is_successive ? k : 0; r < (joint.is_successive ? k + 1 : own.size()); ++r)
        put(body, C(body.v_index + static_cast<int>(r), c), own[r]);
    }
    return std::size_t{joint.nv};
  });
}

/// Couples degree of freedom c of body i with those of all bodies that carry it.
template <Real T>
void carry_to_base(const Model& model, const ConvectiveWorkspace<T>& ws, std::span<const T> v, std::size_t i, int c,
                   ColumnForces<T>& at, const MatrixView<T>& C) {
  const std::span<const Body> bodies = model.bodies();
  for (std::size_t j = i; bodies[j].parent >= 0;) {
    at = {ws.poses[j].to_parent(at.F1), ws.poses[j].to_parent(at.F2), ws.poses[j].rotate_out(at.G)};
    j = static_cast<std::size_t>(bodies[j].parent);
    with_joint(bodies[j].kind, [&](auto joint) { couple(joint, model, ws, v, bodies[i], j, joint.nv, c, at, C); });
  }
}

}  // namespace convective_detail

template <Real T>
void convective_inertia(const Model& model, ConvectiveWorkspace<T>& ws, VectorIn<T> q, VectorIn<T> v, MatrixOut<T> C) {
  using namespace convective_detail;
  expect_size("q", q.size(), model.nq());
  expect_size("v", v.size(), model.nv());
  expect_square(model, C);
  const std::span<const Body> bodies = model.bodies();
  ws.poses.update(model, q);
  convective_detail::outward(model, ws, v);
  for (std::size_t i = 0; i < bodies.size(); ++i) ws.composite[i] = moments_of<T>(body_inertia<T>(bodies[i]));
  if (!model.is_serial()) C.fill(T(0.0));  // bodies on different branches do not couple
  std::array<ColumnForces<T>, 6> columns;
  for (std::size_t i = bodies.size(); i-- > 0;) {
    const Body& body = bodies[i];
    const std::size_t count = begin_columns(model, ws, v, i, C, columns);
    for (std::size_t k = 0; k < count; ++k)
      carry_to_base(model, ws, v, i, body.v_index + static_cast<int>(k), columns[k], C);
    if (body.parent < 0) continue;
    Moments<T>& parent = ws.composite[static_cast<std::size_t>(body.parent)];
    const Moments<T> child = convective_detail::to_parent(ws.poses[i], ws.composite[i]);
    parent = {parent.mass + child.mass, parent.h + child.h, parent.P + child.P};
  }
}

}  // namespace ulna::newton_euler
