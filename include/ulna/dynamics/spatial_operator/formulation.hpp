// spatial_operator behind the registry's interface.
#pragma once

#include "ulna/dynamics/method.hpp"
#include "ulna/dynamics/spatial_operator/spatial_operator_impl.hpp"

namespace ulna::spatial_operator {

template <Real T>
class Formulation final : public Method<T> {
 public:
  explicit Formulation(const Model& model) : model_(model), ws_(model) {}
  void inverse_dynamics(std::span<const T> q, std::span<const T> v, std::span<const T> a, std::span<T> tau,
                        Wrenches<T> external) override {
    spatial_operator::inverse_dynamics(model_, ws_, q, v, a, tau, external);
  }
  void forward_dynamics(std::span<const T> q, std::span<const T> v, std::span<const T> tau, std::span<T> a,
                        Wrenches<T> external) override {
    spatial_operator::forward_dynamics(model_, ws_, q, v, tau, a, external);
  }
  void mass_matrix(std::span<const T> q, MatrixView<T> M) override { spatial_operator::mass_matrix(model_, ws_, q, M); }
  void coriolis_matrix(std::span<const T> q, std::span<const T> v, MatrixView<T> C) override {
    spatial_operator::coriolis_matrix(model_, ws_, q, v, C);
  }
  void gravity(std::span<const T> q, std::span<T> g) override { spatial_operator::gravity(model_, ws_, q, g); }

 private:
  const Model& model_;
  Workspace<T> ws_;
};

}  // namespace ulna::spatial_operator
