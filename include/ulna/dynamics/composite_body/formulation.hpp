// composite_body behind the registry's interface.
#pragma once

#include "ulna/dynamics/composite_body/composite_body_impl.hpp"
#include "ulna/dynamics/composite_body/coriolis_impl.hpp"
#include "ulna/dynamics/method.hpp"

namespace ulna::composite_body {

template <Real T>
class Formulation final : public Method<T> {
 public:
  explicit Formulation(const Model& model) : model_(model), ws_(model), coriolis_(model) {}
  void forward_dynamics(std::span<const T> q, std::span<const T> v, std::span<const T> tau, std::span<T> a,
                        Wrenches<T> external) override {
    composite_body::forward_dynamics(model_, ws_, q, v, tau, a, external);
  }
  void mass_matrix(std::span<const T> q, MatrixView<T> M) override { composite_body::mass_matrix(model_, ws_, q, M); }
  void coriolis_matrix(std::span<const T> q, std::span<const T> v, MatrixView<T> C) override {
    composite_body::coriolis_matrix(model_, coriolis_, q, v, C);
  }

 private:
  const Model& model_;
  Workspace<T> ws_;
  CoriolisWorkspace<T> coriolis_;
};

}  // namespace ulna::composite_body
