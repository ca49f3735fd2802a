// denoc behind the registry's interface.
#pragma once

#include "ulna/dynamics/denoc/convective_inertia_impl.hpp"
#include "ulna/dynamics/denoc/denoc_impl.hpp"
#include "ulna/dynamics/method.hpp"

namespace ulna::denoc {

template <Real T>
class Formulation final : public Method<T> {
 public:
  explicit Formulation(const Model& model) : model_(model), ws_(model), convective_(model) {}
  void inverse_dynamics(std::span<const T> q, std::span<const T> v, std::span<const T> a, std::span<T> tau,
                        Wrenches<T> external) override {
    denoc::inverse_dynamics(model_, ws_, q, v, a, tau, external);
  }
  void forward_dynamics(std::span<const T> q, std::span<const T> v, std::span<const T> tau, std::span<T> a,
                        Wrenches<T> external) override {
    denoc::forward_dynamics(model_, ws_, q, v, tau, a, external);
  }
  void mass_matrix(std::span<const T> q, MatrixView<T> M) override { generalised_inertia(model_, ws_, q, M); }
  void convective_inertia(std::span<const T> q, std::span<const T> v, MatrixView<T> MCI) override {
    denoc::convective_inertia(model_, convective_, q, v, MCI);
  }

 private:
  const Model& model_;
  Workspace<T> ws_;
  ConvectiveWorkspace<T> convective_;
};

}  // namespace ulna::denoc
