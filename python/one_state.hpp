// Methods of `Model` that pybind11 dispatches: those whose work is longer than its dispatch, for one state.
#pragma once

#include "arrays.hpp"

namespace ulna::python {

/// An argument that is one state.
class OneState : public In {
 public:
  OneState(const py::object& object, const char* name, int width) : In(object.ptr(), name, width, NPY_DOUBLE, true) {}
};

/// Adds methods to a class, with a signature that inspect and help() can read.
class Methods {
 public:
  explicit Methods(py::object type) : type_(std::move(type)) {}

  template <class Function, class... Extra>
  void def(const char* name, const char* signature, const char* text, Function function, const Extra&... extra) const {
    py::options own;
    own.disable_function_signatures();
    const std::string doc = std::string(name) + signature + "\n--\n\n" + text;
    type_.attr(name) = py::cpp_function(function, py::name(name), py::is_method(type_), doc.c_str(), extra...);
  }

 private:
  py::object type_;
};

}  // namespace ulna::python
