// The recursion behind newton_euler.hpp, for scalars that the library does not hold. Articulated bodies
// and DeNOC begin with the same outward sweep, the former at zero joint acceleration.
#pragma once

#include <memory>

#include "ulna/dynamics/joint_forces.hpp"
#include "ulna/dynamics/newton_euler/newton_euler.hpp"
#include "ulna/model/body_inertia.hpp"

namespace ulna::newton_euler {

template <Real T>
Workspace<T>::Workspace(const Model& model)
    : poses(model),
      rates(model.bodies().size()),
      wrench(model.bodies().size()),
      world(model.bodies().size()),
      zero(static_cast<std::size_t>(model.nv()), T(0.0)) {}

/// I α + ω × I ω: with the products of ω at hand in A = [α]× + [ω]×[ω]× this is 15 multiplications
/// where the plain formula takes 24.
template <Real T, class C>
ULNA_INLINE Vec3<T> turning_moment(const Sym3<C>& I, const BodyRates<T>& r) {
  const Vec3<T>&w = r.omega, &alpha = r.alpha;
  const Mat3<T>& A = r.A;
  const T xy = T(I.xy), xz = T(I.xz), yz = T(I.yz);
  return {T(I.xx) * alpha.x + T(I.zz - I.yy) * (w.y * w.z) + (xz * A.yx - xy * A.zx) + yz * (A.yy - A.zz),
          T(I.yy) * alpha.y + T(I.xx - I.zz) * (w.x * w.z) + (xy * A.zy - yz * A.xy) + xz * (A.zz - A.xx),
          T(I.zz) * alpha.z + T(I.yy - I.xx) * (w.x * w.y) + (yz * A.xz - xz * A.yz) + xy * (A.xx - A.yy)};
}

/// The wrench about its origin that a body needs to move with these rates (Newton and Euler):
/// f = m a + A h,  n = I α + ω × I ω + h × a.
template <Real T, class C>
ULNA_INLINE Force<T> body_wrench(const RigidInertia<C>& inertia, const BodyRates<T>& r) {
  const Vec3<T> h = cast<T>(inertia.h);
  return {turning_moment(inertia.about_origin, r) + cross(h, r.a), T(inertia.mass) * r.a + r.A * h};
}

/// [α]× + [ω]×[ω]×
template <Real T>
ULNA_INLINE Mat3<T> acceleration_matrix(const Vec3<T>& omega, const Vec3<T>& alpha) {
  const T xx = omega.x * omega.x, yy = omega.y * omega.y, zz = omega.z * omega.z;
  const T xy = omega.x * omega.y, xz = omega.x * omega.z, yz = omega.y * omega.z;
  return {-(yy + zz),   xy - alpha.z, xz + alpha.y,  //
          xy + alpha.z, -(xx + zz),   yz - alpha.x,  //
          xz - alpha.y, yz + alpha.x, -(xx + yy)};
}

/// Rates of body i from those of its parent, or of the ground if there is none: the ground then
/// accelerates upwards instead of gravity pulling down.
template <Real T>
ULNA_INLINE BodyRates<T> rates_of(const Body& body, const LinkPose<T>& x, const BodyRates<T>* parent,
                                  const Vec3<double>& gravity, std::span<const T> v, std::span<const T> a) {
  BodyRates<T> r;
  if (parent == nullptr) {
    r.omega = r.alpha = Vec3<T>::zero();
    r.a = x.rotate_in(cast<T>(-gravity));
  } else {
    r.omega = x.rotate_in(parent->omega);
    r.alpha = x.rotate_in(parent->alpha);
    r.a = x.rotate_in(parent->a + parent->A * x.p);
  }
  with_joint(body.kind, [&](auto joint) {
    const auto k = static_cast<std::size_t>(body.v_index);
    joint.add_rates(joint_at(body, x), &v[k], &a[k], static_cast<Rates<T>&>(r));
  });
  r.A = acceleration_matrix(r.omega, r.alpha);
  return r;
}

/// The outward sweep: rates of every body and the wrench that gives it them.
template <Real T>
void outward(const Model& model, const LinkPoses<T>& poses, const Vec3<double>& gravity, std::span<const T> v,
             std::span<const T> a, std::vector<BodyRates<T>>& rates, std::vector<Force<T>>& wrench) {
  const std::span<const Body> bodies = model.bodies();
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const BodyRates<T>* parent = bodies[i].parent < 0 ? nullptr : &rates[static_cast<std::size_t>(bodies[i].parent)];
    // In place: an assignment would go through a temporary, stored in parts and loaded whole.
    const BodyRates<T>& r = *std::construct_at(&rates[i], rates_of(bodies[i], poses[i], parent, gravity, v, a));
    wrench[i] = body_wrench(body_inertia<T>(bodies[i]), r);
  }
}

/// Compiled once for the library's scalars, like what calls it: the copy of a file with other options must not take its
/// place.
#define ULNA_NEWTON_EULER_OUTWARD(EXTERN, T)                                                                  \
  EXTERN template void outward<T>(const Model&, const LinkPoses<T>&, const Vec3<double>&, std::span<const T>, \
                                  std::span<const T>, std::vector<BodyRates<T>>&, std::vector<Force<T>>&);
ULNA_EXTERN_TEMPLATES(ULNA_NEWTON_EULER_OUTWARD)

/// Takes the external wrenches (mass centre, world axes) off the bodies' own.
template <Real T>
void subtract_external(const Model& model, const LinkPoses<T>& poses, Wrenches<T> external, std::vector<Mat3<T>>& world,
                       std::vector<Force<T>>& wrench) {
  for (std::size_t i = 0; i < external.size(); ++i) {
    const int parent = model.bodies()[i].parent;
    const Mat3<T> step = poses[i].rotation();
    world[i] = parent < 0 ? step : world[static_cast<std::size_t>(parent)] * step;
    const Vec3<T> f = transpose_times(world[i], external[i].force);
    const Vec3<T> n = transpose_times(world[i], external[i].moment);
    wrench[i] -= Force<T>{n + cross(cast<T>(model.com(static_cast<int>(i))), f), f};
  }
}

namespace detail {

/// The inward sweep: projects each body's wrench on its joint and hands it to the parent.
template <Real T>
void inward(const Model& model, const LinkPoses<T>& poses, std::vector<Force<T>>& wrench, std::span<T> tau) {
  if (model.has_followers()) std::fill(tau.begin(), tau.end(), T(0.0));
  for (std::size_t i = wrench.size(); i-- > 0;) {
    const Body& body = model.bodies()[i];
    with_joint(body.kind, [&](auto joint) {
      const auto f = joint.project(joint_at(body, poses[i]), wrench[i]);
      for (std::size_t k = 0; k < f.size(); ++k) put(body, tau[static_cast<std::size_t>(body.v_index) + k], f[k]);
    });
    if (body.parent >= 0) wrench[static_cast<std::size_t>(body.parent)] += poses[i].to_parent(wrench[i]);
  }
}

/// At the poses that the workspace has.
template <Real T>
void recursion(const Model& model, Workspace<T>& ws, const Vec3<double>& gravity, std::span<const T> v,
               std::span<const T> a, std::span<T> tau, Wrenches<T> external) {
  outward(model, ws.poses, gravity, v, a, ws.rates, ws.wrench);
  subtract_external(model, ws.poses, external, ws.world, ws.wrench);
  inward(model, ws.poses, ws.wrench, tau);
}

/// h with friction and springs, at the poses that the workspace has from q.
template <Real T>
void bias(const Model& model, Workspace<T>& ws, std::span<const T> q, std::span<const T> v, std::span<T> h,
          Wrenches<T> external) {
  recursion(model, ws, model.gravity(), v, std::span<const T>(ws.zero), h, external);
  add_passive_forces(model, q, v, 1.0, h);
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
  ws.poses.update(model, q);
  detail::recursion<T>(model, ws, model.gravity(), v, a, tau, external);
  add_passive_forces(model, q, v, 1.0, tau);
  add_rotor_forces<T>(model, a, tau);
}

template <Real T>
void bias(const Model& model, Workspace<T>& ws, VectorIn<T> q, VectorIn<T> v, VectorOut<T> h, Wrenches<T> external) {
  expect_size("q", q.size(), model.nq());
  expect_size("v", v.size(), model.nv());
  expect_size("h", h.size(), model.nv());
  expect_wrenches(model, external);
  ws.poses.update(model, q);
  detail::bias<T>(model, ws, q, v, h, external);
}

template <Real T>
void gravity(const Model& model, Workspace<T>& ws, VectorIn<T> q, VectorOut<T> g) {
  expect_size("q", q.size(), model.nq());
  expect_size("g", g.size(), model.nv());
  const std::span<const T> zero(ws.zero);
  ws.poses.update(model, q);
  detail::recursion<T>(model, ws, model.gravity(), zero, zero, g, {});
}

template <Real T>
void coriolis_force(const Model& model, Workspace<T>& ws, VectorIn<T> q, VectorIn<T> v, VectorOut<T> cv) {
  expect_size("q", q.size(), model.nq());
  expect_size("v", v.size(), model.nv());
  expect_size("C v", cv.size(), model.nv());
  ws.poses.update(model, q);
  detail::recursion<T>(model, ws, Vec3<double>::zero(), v, ws.zero, cv, {});
}

}  // namespace ulna::newton_euler
