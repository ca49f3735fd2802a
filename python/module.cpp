// The extension module `ulna._core`; the package around it is in python/ulna.
#include "bindings.hpp"
#include "ulna/batch/instruction_set.hpp"
#include "ulna/version.hpp"

PYBIND11_MODULE(_core, module) {
  using namespace ulna::python;
  module.doc() = "The compiled part of ulna.";
  bind_arrays();
  bind_errors(module);
  bind_model(module);
  bind_kinematics(module);
  bind_ik(module);
  bind_workspace(module);
  bind_control(module);
  bind_optimal_control(module);
  bind_paths(module);
  bind_dynamics(module);
  bind_formulations(module);
  bind_loop(module);
  bind_motion(module);
  bind_trace(module);
  bind_scenario(module);
  bind_stepper(module);
  bind_study(module);
  bind_plan(module);
  bind_select(module);
  bind_size(module);
  module.attr("__version__") = ulna::version;
  pybind11::options own;
  own.disable_function_signatures();
  module.def(
      "instruction_set", [] { return std::string(ulna::instruction_set()); },
      "instruction_set()\n--\n\nWhat batches are computed with on this processor: the widest instructions that the "
      "library "
      "has code for.");
}
