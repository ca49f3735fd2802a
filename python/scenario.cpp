// Scenarios: what `ulna simulate` reads.
#include "ulna/study/scenario.hpp"

#include <pybind11/stl.h>

#include "bindings.hpp"
#include "held_scenario.hpp"
#include "one_state.hpp"
#include "ulna/io/results/repeat.hpp"
#include "ulna/io/scenario/load.hpp"

namespace ulna::python {

namespace py = pybind11;

namespace {

using Pointer = std::shared_ptr<HeldScenario>;

Pointer held(Scenario scenario, std::shared_ptr<Robot> model = nullptr) {
  return std::make_shared<HeldScenario>(std::move(scenario), std::move(model));
}

bool is_same(const HeldScenario& a, const HeldScenario& b) {
  const bool same_robot = a.model == b.model || (a.model && b.model && a.model->essence() == b.model->essence());
  return same_robot && a.name == b.name && to_toml(a) == to_toml(b);
}

/// `file` is where the text stands, `written` where the scenario came from of which the text was made.
Pointer parsed(const std::string& text, const std::string& file, const std::string& name,
               const std::shared_ptr<Robot>& model, const std::string& written) {
  Scenario scenario = parse_scenario(text, file);
  if (scenario.name.empty()) scenario.name = name;
  if (!written.empty()) scenario.source = {written, 0};
  return held(std::move(scenario), model);
}

}  // namespace

void bind_scenario(py::module_& module) {
  py::class_<HeldScenario, Pointer> type(
      module, "Scenario",
      "A run as its author wrote it: robot, start, drive, integration (doc/scenario_files.md).\n\n"
      "Make one by ulna.scenario(). to_text() gives it as a file, to_dict() as a dictionary.");
  type.attr("__module__") = "ulna";
  refuse_new(type, "ulna.scenario() makes scenarios");
  type.def_readwrite("name", &HeldScenario::name, "What it is called.")
      .def_readwrite("title", &HeldScenario::title, "One line about it.")
      .def_readonly("robot", &HeldScenario::robot, "A bundled name or the path of a robot file; a model's name.")
      .def_readonly("model", &HeldScenario::model,
                    "The robot, where it was given as a model, or None. It goes with copies and pickles; the text has\n"
                    "its name alone.")
      .def_property_readonly(
          "file", [](const HeldScenario& s) { return s.source.file; }, "The file that it was read from, or ''.")
      .def_readonly("duration", &HeldScenario::duration, "Seconds.")
      .def_readonly("every", &HeldScenario::every, "Seconds between samples.")
      .def_readonly("integrator", &HeldScenario::integrator, "Its name.")
      .def_property_readonly(
          "runs", [](const HeldScenario& s) { return s.ensemble.runs; }, "Of its ensemble; 0: there is none.")
      .def("__eq__", &is_same, py::is_operator())
      .def("__repr__",
           [](const HeldScenario& s) {
             return "<ulna.Scenario '" + s.name + "': " + s.robot + ", drive " + s.drive.kind + ">";
           })
      .def("__copy__", [](const HeldScenario& s) { return held(s, s.model); })
      .def(
          "__deepcopy__", [](const HeldScenario& s, const py::dict&) { return held(s, s.model); }, py::arg("memo"))
      .def("__reduce__", [](const HeldScenario& s) {
        const py::object restore = py::module_::import("ulna._scenarios").attr("restore");
        return py::make_tuple(restore, py::make_tuple(to_toml(s), s.name, s.model, s.source.file));
      });
  Methods(type).def("to_text", "(self)", "As the text of a scenario file, which reads back as the same.",
                    [](const HeldScenario& s) { return to_toml(s); });
  type.attr("__hash__") = py::none();
  module.def(
      "load_scenario", [](const std::string& name) { return held(load_scenario(name)); }, py::arg("name"));
  module.def("parse_scenario", &parsed, py::arg("text"), py::arg("file") = "", py::arg("name") = "",
             py::arg("model") = py::none(), py::arg("written") = "");
  module.def(
      "repeated_scenario", [](const std::string& folder) { return held(repeated_scenario(folder)); },
      py::arg("folder"));
  module.def("bundled_scenarios", [] {
    py::list list;
    for (const BundledScenario& scenario : bundled_scenarios())
      list.append(py::make_tuple(scenario.name, scenario.title));
    return list;
  });
}

}  // namespace ulna::python
