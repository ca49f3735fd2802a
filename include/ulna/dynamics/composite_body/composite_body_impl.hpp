// The recursions behind composite_body.hpp, for scalars that the library does not hold.
#pragma once

#include "ulna/dynamics/composite_body/composite_body.hpp"
#include "ulna/dynamics/newton_euler/newton_euler_impl.hpp"
#include "ulna/model/body_inertia.hpp"
#include "ulna/real/rows.hpp"

namespace ulna::composite_body {

template <Real T>
Workspace<T>::Workspace(const Model& model)
    : bias(model),
      composite(model.bodies().size()),
      M(static_cast<std::size_t>(model.nv()) * static_cast<std::size_t>(model.nv())),
      h(static_cast<std::size_t>(model.nv())) {}

namespace detail {

/// M's column of one degree of freedom: the wrench F that moves the composite body with unit
/// acceleration of that joint, projected on the joint itself and on all joints below it.
template <class Joint, Real T>
ULNA_INLINE void columns(Joint joint, const Model& model, const LinkPoses<T>& poses, std::size_t i,
                         const RigidInertia<T>& composite, const MatrixView<T>& M) {
  const Body& body = model.bodies()[i];
  const JointAt<T> at = joint_at(body, poses[i]);
  std::array<Force<T>, Joint::nv> F = joint.times(at, composite);
  for (int c = 0; c < Joint::nv; ++c) {
    const auto block = joint.project(at, F[static_cast<std::size_t>(c)]);
    for (int r = 0; r <= c; ++r) {
      put(body, M(body.v_index + r, body.v_index + c), block[static_cast<std::size_t>(r)]);
      if (r != c) M(body.v_index + c, body.v_index + r) = block[static_cast<std::size_t>(r)];
    }
  }
  for (std::size_t j = i; model.bodies()[j].parent >= 0;) {
    const LinkPose<T>& x = poses[j];
    j = static_cast<std::size_t>(model.bodies()[j].parent);
    const Body& ancestor = model.bodies()[j];
    for (Force<T>& f : F) f = x.to_parent(f);
    with_joint(ancestor.kind, [&](auto outer) {
      for (int c = 0; c < Joint::nv; ++c) {
        const auto f = outer.project(joint_at(ancestor, poses[j]), F[static_cast<std::size_t>(c)]);
        for (int r = 0; r < outer.nv; ++r) {
          put(body, ancestor, M(ancestor.v_index + r, body.v_index + c), f[static_cast<std::size_t>(r)]);
          put(body, ancestor, M(body.v_index + c, ancestor.v_index + r), f[static_cast<std::size_t>(r)]);
        }
      }
    });
  }
}

/// At the poses that the workspace has.
template <Real T>
void mass_matrix(const Model& model, Workspace<T>& ws, const MatrixView<T>& M) {
  const LinkPoses<T>& poses = ws.bias.poses;
  const std::span<const Body> bodies = model.bodies();
  for (std::size_t i = 0; i < bodies.size(); ++i) ws.composite[i] = cast<T>(body_inertia<T>(bodies[i]));
  if (!model.is_serial()) M.fill(T(0.0));  // bodies on different branches do not couple
  for (std::size_t i = bodies.size(); i-- > 0;) {
    with_joint(bodies[i].kind, [&](auto joint) { columns(joint, model, poses, i, ws.composite[i], M); });
    if (bodies[i].parent >= 0)
      ws.composite[static_cast<std::size_t>(bodies[i].parent)] += poses[i].to_parent(ws.composite[i]);
  }
  for (int k = 0; k < model.nv(); ++k) M(k, k) += T(model.armature()[static_cast<std::size_t>(k)]);
  add_coupled_armature(model, M);
}

}  // namespace detail

template <Real T>
void mass_matrix(const Model& model, Workspace<T>& ws, VectorIn<T> q, MatrixOut<T> M) {
  expect_size("q", q.size(), model.nq());
  expect_square(model, M);
  ws.bias.poses.update(model, q);
  detail::mass_matrix<T>(model, ws, M);
}

template <Real T>
void factor(const Model& model, MatrixView<T> M) {
  const std::span<const int> parent = model.parent_of_v();
  for (int k = model.nv() - 1; k >= 0; --k) {
    const T inverse = T(1.0) / M(k, k);
    for (int i = parent[static_cast<std::size_t>(k)]; i >= 0; i = parent[static_cast<std::size_t>(i)]) {
      const T l = M(i, k) * inverse;
      if (model.is_serial()) {  // all before i are ancestors: two columns as they lie in memory
        for (int j = 0; j <= i; ++j) M(j, i) -= l * M(j, k);
      } else {
        for (int j = i; j >= 0; j = parent[static_cast<std::size_t>(j)]) M(j, i) -= l * M(j, k);
      }
      M(i, k) = l;
    }
  }
}

template <Real T>
void solve(const Model& model, MatrixView<T> factored, VectorOut<T> x) {
  const std::span<const int> parent = model.parent_of_v();
  const auto at = [](int k) { return static_cast<std::size_t>(k); };
  for (int k = model.nv() - 1; k >= 0; --k)
    for (int i = parent[at(k)]; i >= 0; i = parent[at(i)]) x[at(i)] -= factored(i, k) * x[at(k)];
  for (int k = 0; k < model.nv(); ++k) x[at(k)] = x[at(k)] / factored(k, k);
  for (int k = 0; k < model.nv(); ++k)
    for (int i = parent[at(k)]; i >= 0; i = parent[at(i)]) x[at(k)] -= factored(i, k) * x[at(i)];
}

template <Real T>
void invert(const Model& model, MatrixView<T> factored, MatrixOut<T> inverse) {
  expect_square(model, inverse);
  const std::span<const int> parent = model.parent_of_v();
  const int n = model.nv();
  // With M = LᵀDL and X = M⁻¹, L X = D⁻¹ L⁻ᵀ has zeros below its diagonal, 1/D on it: so row k of X is minus those of
  // the ancestors of k, as L(k, i) = factored(i, k) weighs them, up to the diagonal. It is column k, too.
  for (int k = 0; k < n; ++k) {
    T* const x = inverse.column(k);
    const T* const l = factored.column(k);
    for_rows<T>(n, 0, k, [&](auto rows, int r) {
      auto sum = rows.same(T(0.0));
      const auto subtract = [&](int i) { sum -= rows.load(inverse.column(i) + r) * rows.same(l[i]); };
      if (model.is_serial()) {  // the last that was computed comes last
        for (int i = 0; i < k; ++i) subtract(i);
      } else {
        for (int i = parent[static_cast<std::size_t>(k)]; i >= 0; i = parent[static_cast<std::size_t>(i)]) subtract(i);
      }
      rows.store(sum, x + r);
    });
    T diagonal = T(1.0) / l[k];
    for (int i = parent[static_cast<std::size_t>(k)]; i >= 0; i = parent[static_cast<std::size_t>(i)])
      diagonal -= l[i] * x[i];
    x[k] = diagonal;
    for (int r = 0; r < k; ++r) inverse(k, r) = x[r];
  }
}

template <Real T>
void inverse_mass_matrix(const Model& model, Workspace<T>& ws, VectorIn<T> q, MatrixOut<T> inverse) {
  const MatrixView<T> M{ws.M.data(), model.nv(), model.nv()};
  mass_matrix(model, ws, q, M);
  factor(model, M);
  invert(model, M, inverse);
}

template <Real T>
void forward_dynamics(const Model& model, Workspace<T>& ws, VectorIn<T> q, VectorIn<T> v, VectorIn<T> tau,
                      VectorOut<T> a, Wrenches<T> external) {
  expect_size("v", v.size(), model.nv());
  expect_size("tau", tau.size(), model.nv());
  expect_size("a", a.size(), model.nv());
  expect_wrenches(model, external);
  const MatrixView<T> M{ws.M.data(), model.nv(), model.nv()};
  mass_matrix(model, ws, q, M);
  newton_euler::detail::bias<T>(model, ws.bias, q, v, ws.h, external);
  for (std::size_t k = 0; k < a.size(); ++k) a[k] = tau[k] - ws.h[k];
  factor(model, M);
  solve(model, M, a);
}

}  // namespace ulna::composite_body
