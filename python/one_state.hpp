// Methods of `Model` that pybind11 dispatches: those whose work is longer than its dispatch, for one state.
#pragma once

#include "arrays.hpp"

namespace ulna::python {

/// An argument that is one state.
class OneState : public In {
 public:
  OneState(const py::object& object, const char* name, int width) : In(object.ptr(), name, width, NPY_DOUBLE, true) {}
};

/// Adds methods to the class.
class ModelMethods {
 public:
  explicit ModelMethods(const py::module_& module) : type_(module.attr("Model")) {}

  template <class Function, class... Extra>
  void def(const char* name, Function function, const Extra&... extra) const {
    type_.attr(name) = py::cpp_function(function, py::name(name), py::is_method(type_), extra...);
  }

 private:
  py::object type_;
};

}  // namespace ulna::python
