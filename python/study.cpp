// Runs and ensembles.
#include "ulna/study/run.hpp"

#include <pybind11/stl.h>

#include "bindings.hpp"
#include "fast_method.hpp"
#include "held_scenario.hpp"
#include "interrupt.hpp"
#include "one_state.hpp"
#include "recorded.hpp"
#include "ulna/io/results/ensemble_folder.hpp"
#include "ulna/io/results/page.hpp"
#include "ulna/io/results/save.hpp"
#include "ulna/study/ensemble.hpp"

namespace ulna::python {

namespace {

/// τ from Python. What it raises ends the run: the torques are NaN, which no step survives. It is copied without the
/// GIL, so that it only borrows the function, which the caller holds.
class PythonDrive {
 public:
  PythonDrive(py::handle function, Interrupts& interrupts) : function_(function), interrupts_(&interrupts) {}

  void operator()(double t, std::span<const double> q, std::span<const double> v, std::span<double> tau) const {
    if (!interrupts_->failed()) {
      const WithGil gil;
      try {
        const py::object given = function_(t, array_of(q), array_of(v));
        const OneState torque(given, "the drive's result", static_cast<int>(tau.size()));
        for (std::size_t k = 0; k < tau.size(); ++k) tau[k] += torque.vector()[k];
        return;
      } catch (...) {
        interrupts_->fail();
      }
    }
    std::fill(tau.begin(), tau.end(), std::numeric_limits<double>::quiet_NaN());
  }

 private:
  py::handle function_;
  Interrupts* interrupts_;
};

std::vector<double> numbers_of(const py::object& object, const char* name, int width, Py_ssize_t& rows) {
  const In in(object.ptr(), name, width, NPY_DOUBLE);
  rows = in.is_batch() ? in.rows() : 1;
  return {in.data<double>(), in.data<double>() + rows * width};
}

/// A reference through points that no file has.
ReferencePointer spline_of(const py::object& points, const Model& model) {
  const py::tuple pair = points;
  const std::vector<double> times = py::cast<std::vector<double>>(pair[0]);
  Py_ssize_t rows = 0;
  const std::vector<double> positions = numbers_of(pair[1], "positions", model.nv(), rows);
  if (static_cast<std::size_t>(rows) != times.size() || rows < 2)
    raise(PyExc_ValueError, "a spline has %zu times and %zd positions; it needs two or more of each, as many",
          times.size(), rows);
  return make_reference(SplineMotion{times, positions, static_cast<std::size_t>(model.nv())});
}

void set_reference(DriveSpec& drive, const ReferencePointer& reference) {
  std::visit(
      [&](auto& kind) {
        if constexpr (requires { kind.reference; }) kind.reference = reference;
      },
      drive);
}

/// With the robot as it was before the scenario changed it, where it was given as a model.
struct HeldRecord : Record {
  std::shared_ptr<Robot> robot{};
};

/// `drive`: a callable of Python's instead of the scenario's own; `points`: what it follows instead of a motion. The
/// record's scenario then says so, because no file can.
std::shared_ptr<HeldRecord> run_scenario(const HeldScenario& scenario, const py::object& drive,
                                         const py::object& points, bool compiled, const py::object& progress) {
  PreparedRun prepared =
      without_gil([&] { return scenario.model ? prepare(scenario, *scenario.model->graph) : prepare(scenario); });
  Interrupts interrupts(progress);
  if (!points.is_none()) set_reference(prepared.setup.actions.drive, spline_of(points, *prepared.model));
  if (!drive.is_none()) prepared.setup.actions.drive = UserDrive{PythonDrive(drive, interrupts)};
  if (!points.is_none() || !drive.is_none()) prepared.scenario.drive = {.kind = made_in_code};
  auto record = std::make_shared<HeldRecord>();
  record->robot = scenario.model;
  {
    Trajectory samples;
    RunOptions options;
    options.compiled = compiled;
    options.proceed = [&](const RunProgress& at) { return interrupts.proceed(at.t); };
    const WithoutGil computing;
    static_cast<Record&>(*record) = run(prepared, samples, options);
    record->trajectory = std::move(samples);
  }
  interrupts.rethrow();
  return record;
}

py::dict result_of(const Record& record) {
  const RunResult& result = record.result;
  const IntegratorStatistics& s = result.statistics;
  py::dict dict;
  dict["status"] = name_of(result.status);
  dict["reason"] = result.reason;
  dict["time"] = result.time;
  dict["method"] = record.method;
  dict["note"] = record.note;
  dict["wall"] = result.wall;
  dict["samples"] = result.samples;
  dict["events"] = events_of(result.events);
  dict["largest_imbalance"] = result.largest_imbalance;
  dict["largest_energy"] = result.largest_energy;
  dict["largest_residual"] = result.largest_residual;
  dict["statistics"] = py::dict(py::arg("steps") = s.steps, py::arg("rejected") = s.rejected,
                                py::arg("right_hand_sides") = s.right_hand_sides, py::arg("jacobians") = s.jacobians);
  return dict;
}

// ---- ensembles

/// Without a folder (an empty name) no files.
std::shared_ptr<EnsembleRecord> run_many(const HeldScenario& scenario, const Robot* robot, bool compiled, int threads,
                                         const py::object& progress, const std::string& folder, bool resume) {
  Interrupts interrupts(progress);
  EnsembleOptions options;
  options.compiled = compiled;
  options.threads = threads;
  options.proceed = [&](const EnsembleProgress& at) {
    return interrupts.proceed_watched(static_cast<double>(at.finished));
  };
  std::shared_ptr<EnsembleRecord> record;
  {
    const WithoutGil computing;
    interrupts.watch([&] {
      auto prepared = robot != nullptr ? std::make_shared<const PreparedEnsemble>(scenario, *robot->graph)
                                       : std::make_shared<const PreparedEnsemble>(scenario);
      record = std::make_shared<EnsembleRecord>(
          folder.empty() ? run_ensemble(std::move(prepared), options)
                         : run_ensemble(std::move(prepared), EnsembleFolder{folder, resume}, options).record);
    });
  }
  interrupts.rethrow();
  return record;
}

/// Keeps the record alive for as long as an array looks into it.
py::capsule owner_of(const std::shared_ptr<EnsembleRecord>& record) {
  return {new std::shared_ptr<EnsembleRecord>(record),
          [](void* held) { delete static_cast<std::shared_ptr<EnsembleRecord>*>(held); }};
}

py::object samples_of(const std::shared_ptr<EnsembleRecord>& record) {
  const EnsembleResult& r = record->result;
  return view_of(r.samples.data(),
                 {static_cast<Py_ssize_t>(r.runs.size()), static_cast<Py_ssize_t>(r.times.size()),
                  static_cast<Py_ssize_t>(r.columns.size())},
                 owner_of(record));
}

py::dict ends_of(const EnsembleRecord& record) {
  const std::vector<EnsembleRunResult>& runs = record.result.runs;
  py::list status, reason;
  std::vector<double> time, energy, q, v;
  for (const EnsembleRunResult& run : runs) {
    status.append(name_of(run.status));
    reason.append(run.reason);
    time.push_back(run.time);
    energy.push_back(run.energy);
    q.insert(q.end(), run.q.begin(), run.q.end());
    v.insert(v.end(), run.v.begin(), run.v.end());
  }
  const auto n = static_cast<Py_ssize_t>(runs.size());
  py::dict dict;
  dict["status"] = status;
  dict["reason"] = reason;
  dict["time"] = array_of(time);
  dict["energy"] = array_of(energy);
  // runs that never began have no state
  dict["q"] = static_cast<Py_ssize_t>(q.size()) == n * record.prepared->model.nq() ? array_of(q).attr("reshape")(n, -1)
                                                                                   : py::none();
  dict["v"] = static_cast<Py_ssize_t>(v.size()) == n * record.prepared->model.nv() ? array_of(v).attr("reshape")(n, -1)
                                                                                   : py::none();
  return dict;
}

py::dict parameters_of(const EnsembleRecord& record) {
  const VariedRuns& varied = record.prepared->varied;
  const std::size_t runs = record.result.runs.size(), count = varied.parameters().size();
  std::vector<double> values(runs * count);
  for (std::size_t k = 0; k < runs; ++k) {
    const std::vector<double>& own = record.result.runs[k].drawn.values;
    for (std::size_t i = 0; i < count; ++i) values[i * runs + k] = own[i];
  }
  py::dict dict;
  for (std::size_t i = 0; i < count; ++i)
    dict[py::str(varied.parameters()[i].name)] = array_of(std::span(values).subspan(i * runs, runs));
  return dict;
}

}  // namespace

void bind_study(py::module_& module) {
  py::class_<HeldRecord, std::shared_ptr<HeldRecord>>(module, "Record")
      .def_property_readonly("columns", [](const HeldRecord& r) { return columns_of(r.columns); })
      .def_property_readonly("rows",
                             [](const std::shared_ptr<HeldRecord>& r) {
                               return rows_of({r, &r->trajectory});
                             })
      .def_property_readonly("result", [](const HeldRecord& r) { return result_of(r); })
      .def_property_readonly("scenario",
                             [](const HeldRecord& r) { return std::make_shared<HeldScenario>(r.scenario, r.robot); })
      .def(
          "save",
          [](const HeldRecord& r, const std::string& folder, const std::vector<std::string>& also) {
            save(r, folder, {also});
          },
          py::arg("folder"), py::arg("also") = std::vector<std::string>{}, py::call_guard<WithoutGil>());
  module.def("run", &run_scenario, py::arg("scenario"), py::arg("drive"), py::arg("points"), py::arg("compiled"),
             py::arg("progress"));
  py::class_<EnsembleRecord, std::shared_ptr<EnsembleRecord>>(module, "EnsembleRecord")
      .def_property_readonly("columns", [](const EnsembleRecord& r) { return columns_of(r.result.columns); })
      .def_property_readonly("times",
                             [](const std::shared_ptr<EnsembleRecord>& r) {
                               return view_of(r->result.times.data(), {static_cast<Py_ssize_t>(r->result.times.size())},
                                              owner_of(r));
                             })
      .def_property_readonly("samples", &samples_of)
      .def_property_readonly("ends", &ends_of)
      .def_property_readonly("parameters", &parameters_of)
      .def_property_readonly("status", [](const EnsembleRecord& r) { return std::string(name_of(r.status())); })
      .def_property_readonly("method", [](const EnsembleRecord& r) { return r.result.method; })
      .def_property_readonly("note", [](const EnsembleRecord& r) { return r.result.note; })
      .def_property_readonly("wall", [](const EnsembleRecord& r) { return r.result.wall; })
      .def_property_readonly("threads", [](const EnsembleRecord& r) { return r.result.threads; })
      .def_property_readonly(
          "scenario",
          [](const EnsembleRecord& r) { return std::make_shared<HeldScenario>(r.prepared->scenario, nullptr); })
      .def(
          "save", [](const EnsembleRecord& r, const std::string& folder) { save(r, folder); }, py::arg("folder"),
          py::call_guard<WithoutGil>());
  module.def("run_ensemble", &run_many, py::arg("scenario"), py::arg("model"), py::arg("compiled"), py::arg("threads"),
             py::arg("progress"), py::arg("folder"), py::arg("resume"));
  module.def("has_report_page", [] { return !report_page().empty(); });
}

}  // namespace ulna::python
