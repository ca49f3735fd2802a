// newton_euler behind the registry's interface.
#pragma once

#include "ulna/dynamics/method.hpp"
#include "ulna/dynamics/newton_euler/newton_euler_impl.hpp"
#include "ulna/dynamics/newton_euler/velocity_matrix_impl.hpp"

namespace ulna::newton_euler {

template <Real T>
class Formulation final : public Method<T> {
 public:
  explicit Formulation(const Model& model) : model_(model), ws_(model), velocity_(model) {}
  void inverse_dynamics(std::span<const T> q, std::span<const T> v, std::span<const T> a, std::span<T> tau,
                        Wrenches<T> external) override {
    newton_euler::inverse_dynamics(model_, ws_, q, v, a, tau, external);
  }
  void gravity(std::span<const T> q, std::span<T> g) override { newton_euler::gravity(model_, ws_, q, g); }
  void convective_inertia(std::span<const T> q, std::span<const T> v, MatrixView<T> MCI) override {
    velocity_matrix(model_, velocity_, q, v, MCI);
  }

 private:
  const Model& model_;
  Workspace<T> ws_;
  VelocityWorkspace<T> velocity_;
};

}  // namespace ulna::newton_euler
