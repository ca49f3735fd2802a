// Methods by Python's vector calls: pybind11's dispatch takes longer than the dynamics of an arm.
#pragma once

#include <array>
#include <span>

#include "arrays.hpp"
#include "gil.hpp"
#include "robot.hpp"
#include "ulna/model/expect_unit_quaternions.hpp"

namespace ulna::python {

/// The names of a method's arguments: first those that must be there, then the others. The required ones and the first
/// `unnamed` others may stand without their names.
class Signature {
 public:
  Signature(const char* method, std::initializer_list<const char*> required, std::initializer_list<const char*> others,
            std::size_t unnamed = 0);

  static constexpr std::size_t most = 12;
  using Values = std::array<PyObject*, most>;  // null where an argument was left out; all borrowed

  /// Throws TypeError for what does not fit.
  Values values(PyObject* const* arguments, Py_ssize_t count, PyObject* names) const;

 private:
  std::size_t index_of(PyObject* name) const;

  const char* method_;
  std::size_t required_, positional_, count_;
  std::array<PyObject*, most> names_{};
};

/// Python's exception for the C++ one that is being handled.
void set_python_error();

/// The robot behind a `Model` of Python.
Robot& robot_of(PyObject* self);

/// Body: PyObject* (Robot&, PyObject* const* arguments, Py_ssize_t count, PyObject* names).
template <auto Body>
PyObject* guarded(PyObject* self, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
  try {
    return Body(robot_of(self), arguments, count, names);
  } catch (...) {
    set_python_error();
    return nullptr;
  }
}

/// A row of a class's table. The text begins with the signature, as inspect wants it.
template <auto Body>
PyMethodDef fast_method(const char* name, const char* text) {
  // The way through void* is what Python's own headers ask for.
  return {name, reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(&guarded<Body>)), METH_FASTCALL | METH_KEYWORDS,
          text};
}

/// The table must live as long as the program.
void add_methods(py::handle type, std::span<PyMethodDef> methods);

/// A batch gives NaN for quaternions that are no rotations; one state is refused.
template <class S>
void expect_rotations(const Robot& robot, const In& q, int states) {
  if (states < 0)
    expect_unit_quaternions<S>(*robot.tree, std::span(q.data<S>(), static_cast<std::size_t>(robot.tree->nq())));
}

/// None and left out are the same.
inline bool given(PyObject* value) { return value != nullptr && value != Py_None; }
/// Throws TypeError that names the argument.
std::string text_of(PyObject* value, const char* name);
/// Several, or one that stands for itself.
std::vector<std::string> names_of(py::handle value, const char* name);
bool truth_of(PyObject* value);
int count_of(PyObject* value, const char* name);

}  // namespace ulna::python
