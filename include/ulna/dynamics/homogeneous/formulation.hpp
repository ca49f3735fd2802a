// homogeneous behind the registry's interface.
#pragma once

#include "ulna/dynamics/homogeneous/homogeneous_impl.hpp"
#include "ulna/dynamics/method.hpp"

namespace ulna::homogeneous {

template <Real T>
class Formulation final : public Method<T> {
 public:
  explicit Formulation(const Model& model) : model_(model), ws_(model) {}
  void inverse_dynamics(std::span<const T> q, std::span<const T> v, std::span<const T> a, std::span<T> tau,
                        Wrenches<T> external) override {
    homogeneous::inverse_dynamics(model_, ws_, q, v, a, tau, external);
  }
  void forward_dynamics(std::span<const T> q, std::span<const T> v, std::span<const T> tau, std::span<T> a,
                        Wrenches<T> external) override {
    homogeneous::forward_dynamics(model_, ws_, q, v, tau, a, external);
  }
  void mass_matrix(std::span<const T> q, MatrixView<T> M) override { homogeneous::mass_matrix(model_, ws_, q, M); }
  void gravity(std::span<const T> q, std::span<T> g) override { homogeneous::gravity(model_, ws_, q, g); }

 private:
  const Model& model_;
  Workspace<T> ws_;
};

}  // namespace ulna::homogeneous
