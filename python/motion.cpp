// Dynamics of a motion file.
#include "ulna/io/results/motion.hpp"

#include <pybind11/stl.h>

#include "bindings.hpp"
#include "interrupt.hpp"
#include "wrenches.hpp"

namespace ulna::python {

namespace {

py::dict dict_of(const MotionRecord& record) {
  py::list outside;
  for (const MotionRecord::Outside& at : record.outside) outside.append(py::make_tuple(at.joint, at.line));
  return py::dict(py::arg("rows") = record.rows, py::arg("outside_limits") = outside);
}

py::dict motion(const Robot& robot, const std::string& input, const std::string& output, const std::string& method,
                bool actions, const py::object& wrench, const py::object& progress) {
  if (robot.has_loops()) throw InputError("motion files are for robots without closed loops");
  const std::vector<Force<double>> external = wrenches_of(robot, wrench.ptr());
  const Model& model = *robot.model;
  Interrupts interrupts(progress);
  const auto proceed = [&](const MotionProgress& at) { return interrupts.proceed(at.share); };
  MotionRecord record;
  {
    const WithoutGil computing;
    if (actions) {
      record = joint_actions_of_motion(model, external, {input, output}, proceed);
    } else {
      const auto formulation = make_method<double>(method, Quantity::inverse_dynamics, model);
      record = inverse_dynamics_of_motion(model, *formulation, external, {input, output}, proceed);
    }
  }
  interrupts.rethrow();
  return dict_of(record);
}

}  // namespace

void bind_motion(py::module_& module) {
  module.def("motion", &motion, py::arg("model"), py::arg("input"), py::arg("output"), py::arg("method"),
             py::arg("actions"), py::arg("wrench"), py::arg("progress"));
}

}  // namespace ulna::python
