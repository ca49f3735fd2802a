// Scenarios: what `ulna simulate` reads.
#include "ulna/study/scenario.hpp"

#include <pybind11/stl.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "ulna/io/results/repeat.hpp"
#include "ulna/io/scenario/load.hpp"

namespace ulna::python {

namespace py = pybind11;

void bind_scenario(py::module_& module) {
  py::class_<Scenario, std::shared_ptr<Scenario>> type(
      module, "Scenario",
      "A run as its author wrote it: robot, start, drive, integration (doc/scenario_files.md).\n\n"
      "Make one by ulna.scenario(). to_text() gives it as a file, to_dict() as a dictionary.");
  type.attr("__module__") = "ulna";
  type.def_readwrite("name", &Scenario::name, "What it is called.")
      .def_readwrite("title", &Scenario::title, "One line about it.")
      .def_readonly("robot", &Scenario::robot, "A bundled name or the path of a robot file.")
      .def_readonly("duration", &Scenario::duration, "Seconds.")
      .def_readonly("every", &Scenario::every, "Seconds between samples.")
      .def_readonly("integrator", &Scenario::integrator, "Its name.")
      .def_property_readonly(
          "runs", [](const Scenario& s) { return s.ensemble.runs; }, "Of its ensemble; 0: there is none.")
      .def(
          "to_text", [](const Scenario& s) { return to_toml(s); },
          "As the text of a scenario file, which reads back as the same.")
      .def(
          "__eq__", [](const Scenario& a, const Scenario& b) { return a.name == b.name && to_toml(a) == to_toml(b); },
          py::is_operator())
      .def("__repr__",
           [](const Scenario& s) {
             return "<ulna.Scenario '" + s.name + "': " + s.robot + ", drive " + s.drive.kind + ">";
           })
      .def("__copy__", [](const Scenario& s) { return std::make_shared<Scenario>(s); })
      .def(
          "__deepcopy__", [](const Scenario& s, const py::dict&) { return std::make_shared<Scenario>(s); },
          py::arg("memo"))
      .def("__reduce__", [](const Scenario& s) {
        const py::object restore = py::module_::import("ulna._scenarios").attr("restore");
        return py::make_tuple(restore, py::make_tuple(to_toml(s), s.name));
      });
  type.attr("__hash__") = py::none();
  module.def(
      "load_scenario", [](const std::string& name) { return std::make_shared<Scenario>(load_scenario(name)); },
      py::arg("name"));
  module.def(
      "parse_scenario",
      [](const std::string& text, const std::string& file) {
        auto scenario = std::make_shared<Scenario>(parse_scenario(text, file));
        if (scenario->name.empty()) scenario->name = file;
        return scenario;
      },
      py::arg("text"), py::arg("file"));
  module.def(
      "repeated_scenario",
      [](const std::string& folder) { return std::make_shared<Scenario>(repeated_scenario(folder)); },
      py::arg("folder"));
  module.def("bundled_scenarios", [] {
    py::list list;
    for (const BundledScenario& scenario : bundled_scenarios())
      list.append(py::make_tuple(scenario.name, scenario.title));
    return list;
  });
}

}  // namespace ulna::python
