// Wrenches on links, as callers give them: {name of a link or frame: moment and force}.
#pragma once

#include "fast_method.hpp"

namespace ulna::python {

/// Moving bodies that wrenches act on, by the names of links or frames, the wrenches, and what messages call them.
template <class F>
void for_each_wrench(const Robot& robot, PyObject* wrench, const F& f) {
  if (!PyDict_Check(wrench)) raise(PyExc_TypeError, "wrench must be a dict of link names and wrenches");
  PyObject *name = nullptr, *value = nullptr;
  for (Py_ssize_t at = 0; PyDict_Next(wrench, &at, &name, &value) != 0;) {
    const Frame& frame = robot.frame(text_of(name, "a link of wrench"));
    if (frame.body < 0) throw InputError("wrench: '" + frame.name + "' is on the ground and does not move");
    f(frame.body, value, "the wrench on '" + frame.name + "'");
  }
}

/// For one state: one for each body, or none at all.
inline std::vector<Force<double>> wrenches_of(const Robot& robot, PyObject* wrench) {
  std::vector<Force<double>> all;
  if (!given(wrench)) return all;
  all.resize(robot.tree->bodies().size(), Force<double>::zero());
  for_each_wrench(robot, wrench, [&](int body, PyObject* value, const std::string& name) {
    const In numbers(value, name.c_str(), 6, NPY_DOUBLE, true);
    const double* w = numbers.data<double>();
    all[static_cast<std::size_t>(body)] += {Vec3<double>::load(w), Vec3<double>::load(w + 3)};
  });
  return all;
}

}  // namespace ulna::python
