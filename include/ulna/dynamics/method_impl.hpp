// Method<T> and its factory, for scalars that the library does not hold.
#pragma once

#include <stdexcept>

#include "ulna/dynamics/articulated_body/articulated_body_impl.hpp"
#include "ulna/dynamics/composite_body/composite_body_impl.hpp"
#include "ulna/dynamics/composite_body/coriolis_impl.hpp"
#include "ulna/dynamics/constraint_force/constraint_force_impl.hpp"
#include "ulna/dynamics/denoc/convective_inertia_impl.hpp"
#include "ulna/dynamics/denoc/denoc_impl.hpp"
#include "ulna/dynamics/formulation.hpp"
#include "ulna/dynamics/homogeneous/homogeneous_impl.hpp"
#include "ulna/dynamics/newton_euler/convective_inertia_impl.hpp"
#include "ulna/dynamics/newton_euler/newton_euler_impl.hpp"
#include "ulna/dynamics/registry.hpp"
#include "ulna/dynamics/spatial_operator/spatial_operator_impl.hpp"

namespace ulna {

template <Real T>
void Method<T>::inverse_dynamics(VectorIn<T>, VectorIn<T>, VectorIn<T>, VectorOut<T>, Wrenches<T>) {
  formulation_detail::not_given();
}
template <Real T>
void Method<T>::forward_dynamics(VectorIn<T>, VectorIn<T>, VectorIn<T>, VectorOut<T>, Wrenches<T>) {
  formulation_detail::not_given();
}
template <Real T>
void Method<T>::mass_matrix(VectorIn<T>, MatrixOut<T>) {
  formulation_detail::not_given();
}
template <Real T>
void Method<T>::inverse_mass_matrix(VectorIn<T>, MatrixOut<T>) {
  formulation_detail::not_given();
}
template <Real T>
void Method<T>::coriolis_matrix(VectorIn<T>, VectorIn<T>, MatrixOut<T>) {
  formulation_detail::not_given();
}
template <Real T>
void Method<T>::convective_inertia(VectorIn<T>, VectorIn<T>, MatrixOut<T>) {
  formulation_detail::not_given();
}
template <Real T>
void Method<T>::gravity(VectorIn<T>, VectorOut<T>) {
  formulation_detail::not_given();
}

template <Real T>
std::unique_ptr<Method<T>> make_method(std::string_view name, Quantity wanted, const Model& model) {
  const std::string_view resolved = resolve_method(name, wanted, model).name;
#define ULNA_ROW(folder, title, scope, ...) \
  if (resolved == #folder) return std::make_unique<Formulation<T, __VA_ARGS__>>(model);
  ULNA_FORMULATIONS(ULNA_ROW)
#undef ULNA_ROW
  throw std::logic_error("a formulation without a row in registry.hpp");
}

}  // namespace ulna
