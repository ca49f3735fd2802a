// The parts of the extension module, one file each.
#pragma once

#include <pybind11/pybind11.h>

#include <vector>

#include "ulna/base/error.hpp"

namespace ulna::python {

void bind_arrays();
/// As dicts, for `check` and `InputError`.
pybind11::list findings_of(const std::vector<Finding>& findings);

/// For a class whose objects are made by functions: without one there would be nothing behind an object.
void refuse_new(const pybind11::object& type, const char* text);

void bind_errors(pybind11::module_& module);
void bind_model(pybind11::module_& module);
void bind_kinematics(pybind11::module_& module);
void bind_ik(pybind11::module_& module);
void bind_control(pybind11::module_& module);
void bind_optimal_control(pybind11::module_& module);
void bind_paths(pybind11::module_& module);
void bind_dynamics(pybind11::module_& module);
void bind_formulations(pybind11::module_& module);
void bind_loop(pybind11::module_& module);
void bind_motion(pybind11::module_& module);
void bind_trace(pybind11::module_& module);
void bind_scenario(pybind11::module_& module);
void bind_stepper(pybind11::module_& module);
void bind_study(pybind11::module_& module);
void bind_plan(pybind11::module_& module);
void bind_select(pybind11::module_& module);
void bind_size(pybind11::module_& module);
void bind_workspace(pybind11::module_& module);

}  // namespace ulna::python
