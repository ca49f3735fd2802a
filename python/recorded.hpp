// Trajectories as Python sees them.
#pragma once

#include "arrays.hpp"
#include "ulna/simulate/simulation.hpp"

namespace ulna::python {

/// (name, label, unit, group) of each.
inline py::list columns_of(std::span<const Column> columns) {
  py::list list;
  for (const Column& c : columns) list.append(py::make_tuple(c.name, c.label, c.unit, c.group));
  return list;
}

inline py::list events_of(std::span<const RunEvent> events) {
  py::list list;
  for (const RunEvent& event : events) list.append(py::make_tuple(event.t, event.text));
  return list;
}

/// (samples, columns), over the memory of the trajectory, which the array keeps alive.
inline py::object rows_of(const std::shared_ptr<const Trajectory>& trajectory) {
  const auto count = static_cast<Py_ssize_t>(trajectory->size());
  const double* first = count > 0 ? trajectory->row(0).data() : nullptr;
  const py::capsule owner(new std::shared_ptr<const Trajectory>(trajectory),
                          [](void* held) { delete static_cast<std::shared_ptr<const Trajectory>*>(held); });
  return view_of(first, {count, static_cast<Py_ssize_t>(trajectory->columns().size())}, owner);
}

}  // namespace ulna::python
