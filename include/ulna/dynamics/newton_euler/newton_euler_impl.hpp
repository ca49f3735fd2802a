// The recursion behind newton_euler.hpp, for scalars that the library does not hold.
#pragma once

#include "ulna/dynamics/joint_forces.hpp"
#include "ulna/dynamics/newton_euler/newton_euler.hpp"
#include "ulna/dynamics/newton_euler/outward.hpp"

namespace ulna::newton_euler {

template <Real T>
Workspace<T>::Workspace(const Model& model)
    : poses(model),
      rates(model.bodies().size()),
      wrench(model.bodies().size()),
      world(model.bodies().size()),
      zero(static_cast<std::size_t>(model.nv()), T(0.0)) {}

namespace detail {

/// The inward sweep: projects each body's wrench on its joint and hands it to the parent.
template <Real T>
void inward(const Model& model, const LinkPoses<T>& poses, std::vector<Force<T>>& wrench, std::span<T> tau) {
  for (std::size_t i = wrench.size(); i-- > 0;) {
    const Body& body = model.bodies()[i];
    with_joint(body.kind, [&](auto joint) {
      const auto f = joint.project(joint_at(body, poses[i]), wrench[i]);
      for (std::size_t k = 0; k < f.size(); ++k) tau[static_cast<std::size_t>(body.v_index) + k] = f[k];
    });
    if (body.parent >= 0) wrench[static_cast<std::size_t>(body.parent)] += poses[i].to_parent(wrench[i]);
  }
}

template <Real T>
void recursion(const Model& model, Workspace<T>& ws, const Vec3<double>& gravity, std::span<const T> q,
               std::span<const T> v, std::span<const T> a, std::span<T> tau, Wrenches<T> external) {
  ws.poses.update(model, q);
  outward(model, ws.poses, gravity, v, a, ws.rates, ws.wrench);
  subtract_external(model, ws.poses, external, ws.world, ws.wrench);
  inward(model, ws.poses, ws.wrench, tau);
}

}  // namespace detail

template <Real T>
void inverse_dynamics(const Model& model, Workspace<T>& ws, std::span<const T> q, std::span<const T> v,
                      std::span<const T> a, std::span<T> tau, Wrenches<T> external) {
  expect_size("q", q.size(), model.nq());
  expect_size("v", v.size(), model.nv());
  expect_size("a", a.size(), model.nv());
  expect_size("tau", tau.size(), model.nv());
  expect_wrenches(model, external);
  detail::recursion(model, ws, model.gravity(), q, v, a, tau, external);
  add_passive_forces(model, q, v, 1.0, tau);
  if (model.has_armature())
    for (std::size_t k = 0; k < tau.size(); ++k) tau[k] += T(model.armature()[k]) * a[k];
}

template <Real T>
void bias(const Model& model, Workspace<T>& ws, std::span<const T> q, std::span<const T> v, std::span<T> h,
          Wrenches<T> external) {
  inverse_dynamics(model, ws, q, v, std::span<const T>(ws.zero), h, external);
}

template <Real T>
void gravity(const Model& model, Workspace<T>& ws, std::span<const T> q, std::span<T> g) {
  expect_size("q", q.size(), model.nq());
  expect_size("g", g.size(), model.nv());
  const std::span<const T> zero(ws.zero);
  detail::recursion(model, ws, model.gravity(), q, zero, zero, g, {});
}

template <Real T>
void coriolis_force(const Model& model, Workspace<T>& ws, std::span<const T> q, std::span<const T> v, std::span<T> cv) {
  expect_size("q", q.size(), model.nq());
  expect_size("v", v.size(), model.nv());
  expect_size("C v", cv.size(), model.nv());
  detail::recursion(model, ws, Vec3<double>::zero(), q, v, std::span<const T>(ws.zero), cv, {});
}

}  // namespace ulna::newton_euler
