// constraint_force behind the registry's interface.
#pragma once

#include "ulna/dynamics/constraint_force/constraint_force_impl.hpp"
#include "ulna/dynamics/method.hpp"

namespace ulna::constraint_force {

template <Real T>
class Formulation final : public Method<T> {
 public:
  explicit Formulation(const Model& model) : model_(model), ws_(model) {}
  void forward_dynamics(std::span<const T> q, std::span<const T> v, std::span<const T> tau, std::span<T> a,
                        Wrenches<T> external) override {
    constraint_force::forward_dynamics(model_, ws_, q, v, tau, a, external);
  }

 private:
  const Model& model_;
  Workspace<T> ws_;
};

}  // namespace ulna::constraint_force
