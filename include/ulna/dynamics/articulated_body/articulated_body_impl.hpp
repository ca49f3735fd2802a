// The recursion behind articulated_body.hpp, for scalars that the library does not hold.
#pragma once

#include <memory>

#include "ulna/dynamics/articulated_body/articulated_body.hpp"
#include "ulna/dynamics/joint_block.hpp"
#include "ulna/dynamics/joint_forces.hpp"
#include "ulna/dynamics/newton_euler/newton_euler_impl.hpp"
#include "ulna/model/body_inertia.hpp"

namespace ulna::articulated_body {

template <Real T>
Workspace<T>::Workspace(const Model& model)
    : poses(model),
      rates(model.bodies().size()),
      p(model.bodies().size()),
      IA(model.bodies().size()),
      W(static_cast<std::size_t>(model.nv())),
      stride(model.has_general_joints() ? 4 : 1),  // 21 numbers for six degrees
      D(stride * static_cast<std::size_t>(model.nv())),
      y(static_cast<std::size_t>(model.nv())),
      acceleration(model.bodies().size()),
      world(model.bodies().size()),
      zero(static_cast<std::size_t>(model.nv()), T(0.0)) {
  expect_no_coupled_joints(model);
}

namespace detail {

/// Lets one joint give way: with U = Iᴬ S, D = Sᵀ U + armature and u = τ − Sᵀ p,
/// Iᵃ = Iᴬ − U D⁻¹ Uᵀ and pᵃ = p + U D⁻¹ u. Leaves W = U D⁻¹, D and y = D⁻¹ u behind.
template <class Joint, class Data, class C, Real T>
ULNA_INLINE void release(Joint joint, const Data& data, const C* armature, ArticulatedInertia<T>& Ia, Force<T>& pa,
                         Force<T>* W_out, T* D_out, T* y_out) {
  constexpr std::size_t n = Joint::nv;
  const std::array<Force<T>, n> U = joint.times(data, Ia);
  const std::array<T, n> Sp = joint.project(data, pa);
  std::array<T, n> y;
  JointBlock<T, n> D;
  for (std::size_t r = 0; r < n; ++r) {
    const std::array<T, n> row = joint.project(data, U[r]);
    for (std::size_t c = 0; c <= r; ++c) D(r, c) = row[c];
    D(r, r) += T(armature[r]);
    y[r] = y_out[r] - Sp[r];
  }
  D.factor();
  D.store(D_out);
  std::array<Force<T>, n> W = U;
  D.solve(W);
  D.solve(y);
  for (std::size_t r = 0; r < n; ++r) {
    Ia.subtract_dyad(U[r], W[r]);
    pa += y[r] * U[r];
    W_out[r] = W[r];
    y_out[r] = y[r];
  }
}

template <Real T>
struct Released {
  ArticulatedInertia<T> Ia;
  Force<T> pa;
};

/// The same out of line, for joints of several degrees; by value, so that nothing of the others must be in memory.
template <class Joint, Real T>
[[gnu::noinline]] Released<T> release_several(Joint joint, const Model& model, Workspace<T>& ws, std::size_t i,
                                              ArticulatedInertia<T> Ia, Force<T> pa) {
  const Body& body = model.bodies()[i];
  const auto k = static_cast<std::size_t>(body.v_index);
  release(joint, joint_at(body, ws.poses[i]), &model.armature()[k], Ia, pa, &ws.W[k], &ws.D[ws.stride * k], &ws.y[k]);
  return {Ia, pa};
}

template <Real T>
void inward(const Model& model, Workspace<T>& ws) {
  for (std::size_t i = model.bodies().size(); i-- > 0;) {
    const Body& body = model.bodies()[i];
    const auto k = static_cast<std::size_t>(body.v_index);
    const RigidInertia<T> own = cast<T>(body_inertia<T>(body));
    ArticulatedInertia<T> Ia = body.is_leaf ? ArticulatedInertia<T>::from_rigid(own) : ws.IA[i] + own;
    Force<T> pa = ws.p[i];
    with_joint(body.kind, [&](auto joint) ULNA_INLINE_LAMBDA {
      if constexpr (joint.nv > 1) {
        const Released<T> r = release_several(joint, model, ws, i, Ia, pa);
        Ia = r.Ia;
        pa = r.pa;
      } else {
        release(joint, joint_at(body, ws.poses[i]), &model.armature()[k], Ia, pa, &ws.W[k], &ws.D[ws.stride * k],
                &ws.y[k]);
      }
    });
    if (body.parent < 0) continue;
    const auto parent = static_cast<std::size_t>(body.parent);
    if (body.is_last_child) {
      // In place: an assignment would go through a temporary, stored in parts and loaded whole.
      std::construct_at(&ws.IA[parent], ws.poses[i].to_parent(Ia));
    } else {
      ws.IA[parent] = ws.IA[parent] + ws.poses[i].to_parent(Ia);
    }
    ws.p[parent] += ws.poses[i].to_parent(pa);
  }
}

/// One body of inward() for another joint force f, with W and D as they are: u = f − Sᵀp, y = D⁻¹ u and,
/// for the body that carries it, pᵃ = p + W u.
template <Real T>
void release_again(const Model& model, Workspace<T>& ws, std::size_t i, const T* f, T* u_out, T* y_out) {
  const Body& body = model.bodies()[i];
  const auto k = static_cast<std::size_t>(body.v_index);
  Force<T> pa = ws.p[i];
  with_joint(body.kind, [&](auto joint) {
    constexpr std::size_t n = joint.nv;
    std::array<T, n> y = joint.project(joint_at(body, ws.poses[i]), pa);
    for (std::size_t r = 0; r < n; ++r) {
      y[r] = f[k + r] - y[r];
      pa += y[r] * ws.W[k + r];
      u_out[k + r] = y[r];
    }
    JointBlock<T, n>::load(&ws.D[ws.stride * k]).solve(y);
    for (std::size_t r = 0; r < n; ++r) y_out[k + r] = y[r];
  });
  if (body.parent >= 0) ws.p[static_cast<std::size_t>(body.parent)] += ws.poses[i].to_parent(pa);
}

template <Real T>
void outward(const Model& model, Workspace<T>& ws, std::span<T> a) {
  for (std::size_t i = 0; i < model.bodies().size(); ++i) {
    const Body& body = model.bodies()[i];
    const auto k = static_cast<std::size_t>(body.v_index);
    Motion<T> m = body.parent < 0 ? Motion<T>::zero()
                                  : ws.poses[i].to_body(ws.acceleration[static_cast<std::size_t>(body.parent)]);
    with_joint(body.kind, [&](auto joint) {
      for (std::size_t r = 0; r < joint.nv; ++r) a[k + r] = ws.y[k + r] - dot(ws.W[k + r], m);
      joint.add_motion(joint_at(body, ws.poses[i]), &a[k], m);
    });
    ws.acceleration[i] = m;
  }
}

}  // namespace detail

template <Real T>
void forward_dynamics(const Model& model, Workspace<T>& ws, VectorIn<T> q, VectorIn<T> v, VectorIn<T> tau,
                      VectorOut<T> a, Wrenches<T> external) {
  expect_size("q", q.size(), model.nq());
  expect_size("v", v.size(), model.nv());
  expect_size("tau", tau.size(), model.nv());
  expect_size("a", a.size(), model.nv());
  expect_wrenches(model, external);
  ws.poses.update(model, q);
  newton_euler::outward(model, ws.poses, model.gravity(), v, std::span<const T>(ws.zero), ws.rates, ws.p);
  newton_euler::subtract_external(model, ws.poses, external, ws.world, ws.p);
  for (std::size_t k = 0; k < tau.size(); ++k) ws.y[k] = tau[k];
  add_passive_forces(model, q, v, -1.0, std::span<T>(ws.y));
  detail::inward(model, ws);
  detail::outward(model, ws, a);
}

template <Real T>
void response(const Model& model, Workspace<T>& ws, VectorIn<T> f, VectorOut<T> a) {
  expect_size("f", f.size(), model.nv());
  expect_size("a", a.size(), model.nv());
  for (Force<T>& p : ws.p) p = Force<T>::zero();
  for (std::size_t i = model.bodies().size(); i-- > 0;)
    detail::release_again(model, ws, i, f.data(), a.data(), ws.y.data());  // u is of no further use
  detail::outward(model, ws, a);
}

template <Real T>
void half_response(const Model& model, Workspace<T>& ws, std::span<const int> bodies, VectorIn<T> f, VectorOut<T> u,
                   VectorOut<T> y) {
  for (const int i : bodies) ws.p[static_cast<std::size_t>(i)] = Force<T>::zero();
  for (const int i : bodies)
    detail::release_again(model, ws, static_cast<std::size_t>(i), f.data(), u.data(), y.data());
}

}  // namespace ulna::articulated_body
