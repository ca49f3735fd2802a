// Arms beside each other.
#include <pybind11/stl.h>

#include "bindings.hpp"
#include "fast_method.hpp"
#include "interrupt.hpp"
#include "ulna/io/results/design_plan.hpp"
#include "ulna/io/results/save.hpp"
#include "ulna/study/ranks.hpp"

namespace ulna::python {

namespace {

using Range = std::pair<double, double>;
/// Frame, mass, com, inertia.
using GivenPayload = std::tuple<std::string, double, std::array<double, 3>, std::array<double, 6>>;

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

selection::Task task_of(const std::string& file, const std::string& text) {
  if (!text.empty()) return selection::parse_task(text, "task");
  return file.empty() ? selection::default_task() : selection::load_task(file);
}

/// `robots`: models, or where numbers of theirs vary their names or paths; `vary`: "link2.a=0.3..0.6".
selection::Selection selection_of(const std::vector<std::variant<std::shared_ptr<Robot>, std::string>>& robots,
                                  const std::string& task_file, const std::string& task_text,
                                  const std::map<std::string, Range>& ranges, const selection::Weights& weights,
                                  const std::vector<GivenPayload>& payloads, const std::vector<std::string>& vary,
                                  int steps, const std::array<std::string, 2>& pareto,
                                  const std::vector<std::string>& criteria, const std::vector<std::string>& rules,
                                  const std::vector<std::tuple<std::string, bool, double>>& require,
                                  const std::map<std::string, double>& stiffness) {
  selection::Selection given{
      .task = task_of(task_file, task_text), .weights = weights, .steps = steps, .pareto = pareto};
  for (const auto& robot : robots) {
    if (const auto* name = std::get_if<std::string>(&robot))
      given.robots.emplace_back(*name);
    else
      given.robots.emplace_back(*std::get<std::shared_ptr<Robot>>(robot)->graph);
  }
  for (const auto& [joint, range] : ranges)
    given.ranges.push_back(selection::given_range(joint, range.first, range.second));
  given.criteria = criteria;
  for (const std::string& text : rules) given.rules.push_back(selection::parse_design_rule(text));
  for (const auto& [key, above, bound] : require) given.require.push_back({key, above, bound});
  for (const auto& [joint, value] : stiffness) given.stiffness.push_back(selection::given_stiffness(joint, value));
  for (const std::string& text : vary) given.vary.push_back(selection::parse_swept_number(text));
  for (const auto& [frame, mass, com, i] : payloads)
    given.payloads.push_back({frame, {mass, Vec3<double>::load(com.data()), {i[0], i[1], i[2], i[3], i[4], i[5]}}});
  return given;
}

std::shared_ptr<selection::SelectRecord> select(selection::Selection given, bool cpu, int threads,
                                                const py::object& progress) {
  given.cpu = cpu;
  Interrupts interrupts(progress);
  auto record = std::make_shared<selection::SelectRecord>();
  {
    const WithoutGil computing;
    interrupts.watch([&] {
      const auto proceed = [&](std::size_t done, std::size_t) {
        return interrupts.proceed_watched(static_cast<double>(done));
      };
      *record = selection::run(given, {threads, proceed});
    });
  }
  interrupts.rethrow();
  return record;
}

py::dict select_result(const selection::SelectRecord& record) {
  const selection::Comparison& comparison = record.comparison;
  py::dict dict;
  py::list criteria, arms;
  for (const selection::Criterion& criterion : comparison.criteria) criteria.append(criterion_of(criterion));
  for (const selection::Candidate& candidate : comparison.candidates) arms.append(arm_of(candidate));
  dict["criteria"] = criteria;
  dict["arms"] = arms;
  dict["scores"] = array_of(comparison.scores);
  dict["order"] = comparison.order;
  dict["apart"] = comparison.apart;
  if (!record.sweep.swept.empty()) dict["front"] = front_of(comparison, record.sweep);
  return dict;
}

/// Into the folder; `comm`: the address of an MPI_Comm, 0 for this process alone. Whether it came to its end.
bool design_sweep(selection::Selection given, double effort, const std::string& folder, bool resume, std::size_t chunk,
                  int threads, const py::int_& comm, const py::object& progress) {
  given.effort = effort;
  Interrupts interrupts(progress);
  const void* const address = PyLong_AsVoidPtr(comm.ptr());
  selection::ChunkedDesignOptions options{.folder = folder, .resume = resume};
  options.plan = {.chunk = chunk, .threads = threads};
  options.proceed = [&](const selection::DesignProgress& at) {
    return interrupts.proceed_watched(static_cast<double>(at.finished));
  };
  bool whole = false, failed_elsewhere = false;
  {
    const WithoutGil computing;
    interrupts.watch([&] {
      const std::unique_ptr<Communicator> ranks =
          address == nullptr ? std::make_unique<AloneCommunicator>() : ranks_of(address);
      try {
        std::shared_ptr<const selection::DesignSweep> sweep;
        all_succeed(*ranks, [&] { sweep = std::make_shared<const selection::DesignSweep>(given); });
        whole = !run_design(sweep, options, *ranks).interrupted;
      } catch (const FailedElsewhere&) {
        failed_elsewhere = true;
      }
    });
  }
  interrupts.rethrow();
  if (failed_elsewhere) raise(PyExc_RuntimeError, "another rank failed; the first rank tells why");
  return whole;
}

}  // namespace

void bind_select(py::module_& module) {
  py::class_<selection::Selection>(module, "Selection")
      .def(py::init(&selection_of), py::arg("robots"), py::arg("task_file"), py::arg("task_text"), py::arg("ranges"),
           py::arg("weights"), py::arg("payloads"), py::arg("vary"), py::arg("steps"), py::arg("pareto"),
           py::arg("criteria"), py::arg("rules"), py::arg("require"), py::arg("stiffness"));
  py::class_<selection::SelectRecord, std::shared_ptr<selection::SelectRecord>>(module, "SelectRecord")
      .def_property_readonly("result", &select_result)
      .def(
          "save", [](const selection::SelectRecord& r, const std::string& folder) { save(r, folder); },
          py::arg("folder"), py::call_guard<WithoutGil>());
  module.def("select", &select, py::arg("selection"), py::arg("cpu"), py::arg("threads"), py::arg("progress"));
  module.def("design_sweep", &design_sweep, py::arg("selection"), py::arg("effort"), py::arg("folder"),
             py::arg("resume"), py::arg("chunk"), py::arg("threads"), py::arg("comm"), py::arg("progress"));
}

}  // namespace ulna::python
