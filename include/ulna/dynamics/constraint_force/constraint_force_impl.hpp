// The serial O(N) algorithm behind constraint_force.hpp, for scalars that the library does not hold.
#pragma once

#include "ulna/dynamics/constraint_force/joint_equation.hpp"
#include "ulna/dynamics/method.hpp"
#include "ulna/dynamics/newton_euler/newton_euler_impl.hpp"

namespace ulna::constraint_force {

template <Real T>
Workspace<T>::Workspace(const Model& model)
    : armature(model.has_armature()),
      first(model.has_free_base() ? 1 : 0),
      bias(model),
      F_T(static_cast<std::size_t>(model.nv())),
      F(model.bodies().size()),
      V_dot(model.bodies().size()) {
  expect_scope("constraint_force", model);
  for (const Body& body : model.bodies()) mobility.push_back(mobility_of(body.inertia));
  const std::size_t joints = model.bodies().size() - first;
  armature ? six.resize(joints) : five.resize(joints);
}

namespace detail {

/// Block tridiagonal A = L D Lᵗ from the base outwards.
template <int n, Real T>
void factor_serial(System<T, n>& s) {
  for (std::size_t i = 0; i < s.diagonal.size(); ++i) {
    if (i > 0) {
      s.solved[i] = s.coupling[i];
      for (int c = 0; c < n; ++c) solve(s.diagonal[i - 1], &s.solved[i](0, c));
      subtract_symmetric_product(s.diagonal[i], s.coupling[i], s.solved[i]);
    }
    factor(s.diagonal[i]);
  }
}

/// right := A⁻¹ right with the factor.
template <int n, Real T>
void solve_serial(System<T, n>& s) {
  const std::size_t N = s.right.size();
  for (std::size_t i = 1; i < N; ++i) subtract_transposed_times(s.right[i], s.solved[i], s.right[i - 1]);
  for (std::size_t i = N; i-- > 0;) {
    solve(s.diagonal[i], s.right[i].data());
    if (i + 1 < N) subtract_times(s.right[i], s.solved[i + 1], s.right[i + 1]);
  }
}

/// Steps 2 to 5 of section IV.B, for blocks of n. The constraint forces are solved for twice: from
/// nothing, then for what is left of the joints' constraints, which costs little with the factor
/// at hand and gives back the digits that a slender link's huge inverse moment takes from A.
template <int n, Real T>
void steps(const Model& model, Workspace<T>& ws, System<T, n>& system, std::span<T> a) {
  const std::size_t N = model.bodies().size(), first = ws.first;
  const auto forces_to_accelerations = [&] {
    if (first > 0) ws.F[0] = applied_force(model, ws, 0);  // a free base's own is given
    for (std::size_t i = first; i < N; ++i) compose(model, ws, i, system.unknown[i - first]);
    for (std::size_t i = 0; i < N; ++i) accelerate(model, ws, i);
  };
  for (std::size_t i = first; i < N; ++i) form<n>(model, ws, i, system.diagonal[i - first], system.coupling[i - first]);
  factor_serial(system);
  for (auto& s : system.unknown) s.fill(T(0.0));
  forces_to_accelerations();
  for (int round = 0; round < 2; ++round) {
    for (std::size_t i = first; i < N; ++i) violation(model, ws, i, system.unknown[i - first], system.right[i - first]);
    solve_serial(system);
    for (std::size_t j = 0; j < system.unknown.size(); ++j)
      for (std::size_t r = 0; r < static_cast<std::size_t>(n); ++r) system.unknown[j][r] += system.right[j][r];
    forces_to_accelerations();
  }
  for (std::size_t i = 0; i < N; ++i) joint_acceleration(model, ws, i, a);
}

}  // namespace detail

template <Real T>
void forward_dynamics(const Model& model, Workspace<T>& ws, VectorIn<T> q, VectorIn<T> v, VectorIn<T> tau,
                      VectorOut<T> a, Wrenches<T> external) {
  expect_size("tau", tau.size(), model.nv());
  expect_size("a", a.size(), model.nv());
  newton_euler::bias(model, ws.bias, q, v, ws.F_T, external);  // step 1
  for (std::size_t k = 0; k < tau.size(); ++k) ws.F_T[k] = tau[k] - ws.F_T[k];
  ws.armature ? detail::steps(model, ws, ws.six, a) : detail::steps(model, ws, ws.five, a);
}

}  // namespace ulna::constraint_force
