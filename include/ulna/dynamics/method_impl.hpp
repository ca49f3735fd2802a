// The registry's adapters: each formulation behind Method<T>. A new formulation is a class here
// and a row in src/dynamics/methods.cpp.
#pragma once

#include <stdexcept>

#include "ulna/dynamics/articulated_body/articulated_body_impl.hpp"
#include "ulna/dynamics/composite_body/composite_body_impl.hpp"
#include "ulna/dynamics/composite_body/coriolis_impl.hpp"
#include "ulna/dynamics/method.hpp"
#include "ulna/dynamics/newton_euler/newton_euler_impl.hpp"

namespace ulna {

namespace method_detail {
[[noreturn]] inline void not_given() {
  throw std::logic_error("this formulation does not give the quantity; ask MethodInfo::can first");
}
}  // namespace method_detail

template <Real T>
void Method<T>::inverse_dynamics(std::span<const T>, std::span<const T>, std::span<const T>, std::span<T>,
                                 Wrenches<T>) {
  method_detail::not_given();
}
template <Real T>
void Method<T>::forward_dynamics(std::span<const T>, std::span<const T>, std::span<const T>, std::span<T>,
                                 Wrenches<T>) {
  method_detail::not_given();
}
template <Real T>
void Method<T>::mass_matrix(std::span<const T>, MatrixView<T>) {
  method_detail::not_given();
}
template <Real T>
void Method<T>::coriolis_matrix(std::span<const T>, std::span<const T>, MatrixView<T>) {
  method_detail::not_given();
}
template <Real T>
void Method<T>::gravity(std::span<const T>, std::span<T>) {
  method_detail::not_given();
}

namespace method_detail {

template <Real T>
class NewtonEuler final : public Method<T> {
 public:
  explicit NewtonEuler(const Model& model) : model_(model), ws_(model) {}
  void inverse_dynamics(std::span<const T> q, std::span<const T> v, std::span<const T> a, std::span<T> tau,
                        Wrenches<T> external) override {
    newton_euler::inverse_dynamics(model_, ws_, q, v, a, tau, external);
  }
  void gravity(std::span<const T> q, std::span<T> g) override { newton_euler::gravity(model_, ws_, q, g); }

 private:
  const Model& model_;
  newton_euler::Workspace<T> ws_;
};

template <Real T>
class ArticulatedBody final : public Method<T> {
 public:
  explicit ArticulatedBody(const Model& model) : model_(model), ws_(model) {}
  void forward_dynamics(std::span<const T> q, std::span<const T> v, std::span<const T> tau, std::span<T> a,
                        Wrenches<T> external) override {
    articulated_body::forward_dynamics(model_, ws_, q, v, tau, a, external);
  }

 private:
  const Model& model_;
  articulated_body::Workspace<T> ws_;
};

template <Real T>
class CompositeBody final : public Method<T> {
 public:
  explicit CompositeBody(const Model& model) : model_(model), ws_(model), coriolis_(model) {}
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
  composite_body::Workspace<T> ws_;
  composite_body::CoriolisWorkspace<T> coriolis_;
};

}  // namespace method_detail

/// Resolves `auto` and refuses what the formulation does not give (src/dynamics/methods.cpp).
const MethodInfo& resolve_method(std::string_view name, Quantity wanted);

template <Real T>
std::unique_ptr<Method<T>> make_method(std::string_view name, Quantity wanted, const Model& model) {
  const std::string_view resolved = resolve_method(name, wanted).name;
  if (resolved == "newton_euler") return std::make_unique<method_detail::NewtonEuler<T>>(model);
  if (resolved == "articulated_body") return std::make_unique<method_detail::ArticulatedBody<T>>(model);
  return std::make_unique<method_detail::CompositeBody<T>>(model);
}

}  // namespace ulna
