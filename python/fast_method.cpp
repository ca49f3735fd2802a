#include "fast_method.hpp"

namespace ulna::python {

Signature::Signature(const char* method, std::initializer_list<const char*> required,
                     std::initializer_list<const char*> others, std::size_t unnamed)
    : method_(method), required_(required.size()), positional_(required.size() + unnamed), count_(0) {
  for (const auto& list : {required, others})
    for (const char* name : list) names_[count_++] = PyUnicode_InternFromString(name);
}

std::size_t Signature::index_of(PyObject* name) const {
  for (std::size_t k = 0; k < count_; ++k)
    if (names_[k] == name) return k;  // names in source code are interned
  for (std::size_t k = 0; k < count_; ++k)
    if (PyUnicode_Compare(names_[k], name) == 0) return k;
  raise(PyExc_TypeError, "%s() has no argument '%U'", method_, name);
}

Signature::Values Signature::values(PyObject* const* arguments, Py_ssize_t count, PyObject* names) const {
  if (static_cast<std::size_t>(count) > positional_)
    raise(PyExc_TypeError, "%s() takes %zu arguments without a name, and %zd were given", method_, positional_, count);
  Values values{};
  std::copy_n(arguments, count, values.begin());
  const Py_ssize_t named = names != nullptr ? PyTuple_GET_SIZE(names) : 0;
  for (Py_ssize_t k = 0; k < named; ++k) {
    PyObject* name = PyTuple_GET_ITEM(names, k);
    PyObject*& value = values[index_of(name)];
    if (value != nullptr) raise(PyExc_TypeError, "%s() has '%U' twice", method_, name);
    value = arguments[count + k];
  }
  for (std::size_t k = 0; k < required_; ++k)
    if (values[k] == nullptr) raise(PyExc_TypeError, "%s() misses the argument '%U'", method_, names_[k]);
  return values;
}

Robot& robot_of(PyObject* self) {
  return *static_cast<Robot*>(reinterpret_cast<py::detail::instance*>(self)->get_value_and_holder().value_ptr());
}

void add_methods(py::handle type, std::span<PyMethodDef> methods) {
  for (PyMethodDef& method : methods) {
    PyObject* descriptor = PyDescr_NewMethod(reinterpret_cast<PyTypeObject*>(type.ptr()), &method);
    if (descriptor == nullptr) throw py::error_already_set();
    type.attr(method.ml_name) = py::reinterpret_steal<py::object>(descriptor);
  }
}

std::string text_of(PyObject* value, const char* name) {
  if (!PyUnicode_Check(value)) raise(PyExc_TypeError, "%s must be a str", name);
  return py::cast<std::string>(py::handle(value));
}

std::vector<std::string> names_of(py::handle value, const char* name) {
  if (PyUnicode_Check(value.ptr())) return {text_of(value.ptr(), name)};
  if (!py::isinstance<py::iterable>(value)) raise(PyExc_TypeError, "%s must be a list of str", name);
  std::vector<std::string> names;
  for (const py::handle one : py::reinterpret_borrow<py::iterable>(value)) names.push_back(text_of(one.ptr(), name));
  return names;
}

bool truth_of(PyObject* value) {
  if (value == nullptr) return false;
  const int truth = PyObject_IsTrue(value);
  if (truth < 0) throw py::error_already_set();
  return truth == 1;
}

int count_of(PyObject* value, const char* name) {
  const long number = PyLong_AsLong(value);
  if (number == -1 && PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    raise(PyExc_TypeError, "%s must be a whole number", name);
  }
  if (number < 0 || number > 1'000'000) raise(PyExc_ValueError, "%s is %ld; a count is wanted", name, number);
  return static_cast<int>(number);
}

}  // namespace ulna::python
