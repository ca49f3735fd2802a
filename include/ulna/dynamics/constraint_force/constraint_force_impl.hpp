// The serial O(N) algorithm behind constraint_force.hpp, for scalars that the library does not hold.
#pragma once

#include "ulna/dynamics/constraint_force/steps.hpp"
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
      V_dot(model.bodies().size()),
      F_S_five(armature ? 0 : model.bodies().size() - first),
      F_S_six(armature ? model.bodies().size() - first : 0),
      five(F_S_five.size()),
      six(F_S_six.size()) {
  expect_scope("constraint_force", model);
  mobility.reserve(model.bodies().size());
  for (const Body& body : model.bodies()) mobility.push_back(mobility_of(body.inertia));
}

template <Real T>
void forward_dynamics(const Model& model, Workspace<T>& ws, VectorIn<T> q, VectorIn<T> v, VectorIn<T> tau,
                      VectorOut<T> a, Wrenches<T> external) {
  expect_size("tau", tau.size(), model.nv());
  expect_size("a", a.size(), model.nv());
  newton_euler::bias(model, ws.bias, q, v, ws.F_T, external);  // Step 1
  for (std::size_t k = 0; k < tau.size(); ++k) ws.F_T[k] = tau[k] - ws.F_T[k];
  const auto steps = [&](auto& system, auto& F_S) { Steps(model, ws, system, F_S, InTurn{}, InTurn{})(a); };
  ws.armature ? steps(ws.six, ws.F_S_six) : steps(ws.five, ws.F_S_five);
}

}  // namespace ulna::constraint_force
