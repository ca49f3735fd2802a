// Arms beside each other.
#include <pybind11/stl.h>

#include "bindings.hpp"
#include "fast_method.hpp"
#include "interrupt.hpp"
#include "ulna/study/select/comparison.hpp"

namespace ulna::python {

namespace {

using Range = std::pair<double, double>;

py::dict criterion_of(const selection::Criterion& criterion) {
  py::dict dict;
  dict["key"] = criterion.key;
  dict["label"] = criterion.label;
  dict["unit"] = criterion.unit;
  dict["more_is_better"] = criterion.more_is_better;
  dict["weight"] = criterion.weight;
  dict["values"] = array_of(criterion.values);
  dict["errors"] = array_of(criterion.errors);
  dict["best"] = criterion.best;
  dict["shares"] = array_of(criterion.shares);
  return dict;
}

py::dict map_of(const selection::WorkspaceMap& map) {
  py::dict dict;
  dict["x_label"] = map.x_label;
  dict["y_label"] = map.y_label;
  dict["extent"] = py::make_tuple(map.x_low, map.x_high, map.y_low, map.y_high);
  dict["manipulability"] = array_of(map.manipulability).attr("reshape")(map.rows, map.columns);
  dict["isotropy"] = array_of(map.isotropy).attr("reshape")(map.rows, map.columns);
  return dict;
}

py::dict arm_of(const selection::Candidate& candidate) {
  const auto n = static_cast<Py_ssize_t>(candidate.arm.model.nv());
  const selection::TaskLoads& loads = candidate.loads;
  py::dict dict;
  dict["name"] = candidate.arm.name;
  dict["map"] = map_of(candidate.survey.map);
  dict["t"] = array_of(loads.t);
  for (const auto& [name, rows] : {std::pair{"q", &loads.q}, {"v", &loads.v}, {"a", &loads.a}, {"tau", &loads.tau}})
    dict[name] = array_of(*rows).attr("reshape")(-1, n);
  dict["broken"] = loads.broken;
  dict["notes"] = loads.notes;
  return dict;
}

py::dict select(const std::vector<std::shared_ptr<Robot>>& robots, const std::string& task_file,
                const std::string& task_text, const std::map<std::string, Range>& ranges,
                const selection::Weights& weights, bool timed, int threads, const py::object& progress) {
  selection::Task task = !task_text.empty()  ? selection::parse_task(task_text, "task")
                         : task_file.empty() ? selection::default_task()
                                             : selection::load_task(task_file);
  selection::expect_weights(weights, timed);
  std::vector<selection::Arm> arms;
  arms.reserve(robots.size());
  for (const auto& robot : robots)
    arms.push_back(selection::make_arm(robot->model->name(), *robot->graph, {ranges, task.slide()}));
  selection::expect_comparable(arms);
  Interrupts interrupts(progress);
  std::vector<selection::Candidate> candidates;
  const auto proceed = [&](std::size_t done) { return interrupts.proceed_watched(static_cast<double>(done)); };
  {
    const WithoutGil computing;
    interrupts.watch([&] {
      candidates = selection::evaluate_all(std::move(arms), task, threads, proceed);
      if (timed) selection::measure_cpu(candidates, [&] { return proceed(robots.size()); });
    });
  }
  interrupts.rethrow();
  const selection::Comparison comparison = selection::compare(std::move(task), std::move(candidates), weights);
  py::dict dict;
  py::list criteria, listed;
  for (const selection::Criterion& criterion : comparison.criteria) criteria.append(criterion_of(criterion));
  for (const selection::Candidate& candidate : comparison.candidates) listed.append(arm_of(candidate));
  dict["criteria"] = criteria;
  dict["arms"] = listed;
  dict["scores"] = array_of(comparison.scores);
  dict["order"] = comparison.order;
  dict["apart"] = comparison.apart;
  return dict;
}

}  // namespace

void bind_select(py::module_& module) {
  module.def("select", &select, py::arg("robots"), py::arg("task_file"), py::arg("task_text"), py::arg("ranges"),
             py::arg("weights"), py::arg("timed"), py::arg("threads"), py::arg("progress"));
}

}  // namespace ulna::python
