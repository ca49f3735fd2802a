// Method<T> and its factory, for scalars that the library does not hold.
#pragma once

#include <stdexcept>

#include "ulna/dynamics/articulated_body/formulation.hpp"
#include "ulna/dynamics/composite_body/formulation.hpp"
#include "ulna/dynamics/constraint_force/formulation.hpp"
#include "ulna/dynamics/denoc/formulation.hpp"
#include "ulna/dynamics/homogeneous/formulation.hpp"
#include "ulna/dynamics/method.hpp"
#include "ulna/dynamics/newton_euler/formulation.hpp"
#include "ulna/dynamics/registry.hpp"
#include "ulna/dynamics/spatial_operator/formulation.hpp"

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
void Method<T>::convective_inertia(std::span<const T>, std::span<const T>, MatrixView<T>) {
  method_detail::not_given();
}
template <Real T>
void Method<T>::gravity(std::span<const T>, std::span<T>) {
  method_detail::not_given();
}

template <Real T>
std::unique_ptr<Method<T>> make_method(std::string_view name, Quantity wanted, const Model& model) {
  const std::string_view resolved = resolve_method(name, wanted, model).name;
#define ULNA_ROW(folder, ...) \
  if (resolved == #folder) return std::make_unique<folder::Formulation<T>>(model);
  ULNA_FORMULATIONS(ULNA_ROW)
#undef ULNA_ROW
  throw std::logic_error("a formulation without a row in registry.hpp");
}

}  // namespace ulna
