// Objects of Python that hold a workspace of the library for as long as they live: one thread at a time.
#pragma once

#include "arrays.hpp"
#include "robot.hpp"

namespace ulna::python {

/// One call at a time; the flag is only touched with the GIL held.
class InUse {
 public:
  InUse(bool& busy, const char* what) : busy_(busy) {
    if (busy_) raise(PyExc_RuntimeError, "another thread is in this %s; give each its own", what);
    busy_ = true;
  }
  InUse(const InUse&) = delete;
  InUse& operator=(const InUse&) = delete;
  ~InUse() { busy_ = false; }

 private:
  bool& busy_;
};

inline std::shared_ptr<Robot> expect_model(const py::object& model) {
  if (!py::isinstance<Robot>(model))
    raise(PyExc_TypeError, "model is %R; an ulna.Model is wanted, as ulna.load() makes it", model.ptr());
  return py::cast<std::shared_ptr<Robot>>(model);
}

/// pybind11 would make up the memory of an object whose __init__ was not called.
template <class Held>
Held& held_by(const py::object& self, const char* name) {
  void* value = reinterpret_cast<py::detail::instance*>(self.ptr())->get_value_and_holder().value_ptr();
  if (value == nullptr) raise(PyExc_TypeError, "this %s has not been initialised: call %s(model)", name, name);
  return *static_cast<Held*>(value);
}

}  // namespace ulna::python
