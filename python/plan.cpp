// Ensembles in chunks, for whatever hands out work: futures, dask, ranks of mpi4py.
#include "ulna/io/results/ensemble_plan.hpp"

#include <pybind11/stl.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "held_scenario.hpp"
#include "interrupt.hpp"
#include "robot.hpp"
#include "ulna/io/results/ensemble_folder.hpp"
#include "ulna/study/ranks.hpp"

namespace ulna::python {

namespace py = pybind11;

namespace {

std::shared_ptr<const PreparedEnsemble> prepared_of(const HeldScenario& scenario, const Robot* robot) {
  return robot != nullptr ? std::make_shared<const PreparedEnsemble>(scenario, *robot->graph)
                          : std::make_shared<const PreparedEnsemble>(scenario);
}

/// Work on another thread, without the GIL, while this one sees Ctrl-C.
template <class Work>
void watched(Interrupts& interrupts, const Work& work) {
  {
    const py::gil_scoped_release computing;
    interrupts.watch(work);
  }
  interrupts.rethrow();
}

bool run_chunk(EnsemblePlan& plan, std::size_t index) {
  Interrupts interrupts(py::none{});
  bool computed = false;
  watched(interrupts, [&] {
    plan.join();
    if (plan.is_done(index)) return;
    computed = plan.run(index, [&](const EnsembleProgress& at) {
      return interrupts.proceed_watched(static_cast<double>(at.finished));
    });
  });
  return computed;
}

std::string collect(EnsemblePlan& plan, bool merge) {
  std::string run;
  const py::gil_scoped_release computing;
  run = ensemble_json(plan.collect({.merge = merge, .thorough = true, .wall = 0.0, .proceed = {}}));
  return run;
}

/// run.json, on every rank; `comm`: the address of an MPI_Comm, 0 for this process alone.
std::string run_over_ranks(const HeldScenario& scenario, const Robot* robot, const std::string& folder, bool resume,
                           bool merge, std::size_t chunk, bool compiled, int threads, const py::int_& comm,
                           const py::object& progress) {
  Interrupts interrupts(progress);
  const void* const address = PyLong_AsVoidPtr(comm.ptr());
  ChunkedOptions options{.folder = folder, .resume = resume, .merge = merge};
  options.plan = {.chunk = chunk, .compiled = compiled, .threads = threads};
  options.proceed = [&](const EnsembleProgress& at) {
    return interrupts.proceed_watched(static_cast<double>(at.finished));
  };
  std::string run;
  bool failed_elsewhere = false;
  watched(interrupts, [&] {
    const std::unique_ptr<Communicator> ranks =
        address == nullptr ? std::make_unique<AloneCommunicator>() : ranks_of(address);
    try {
      std::shared_ptr<const PreparedEnsemble> prepared;
      all_succeed(*ranks, [&] { prepared = prepared_of(scenario, robot); });
      const ChunkedEnsemble result = run_ensemble(std::move(prepared), options, *ranks);
      if (!result.interrupted) run = ensemble_json(result.summary);
    } catch (const FailedElsewhere&) {
      failed_elsewhere = true;
    }
  });
  if (failed_elsewhere) raise(PyExc_RuntimeError, "another rank failed; the first rank tells why");
  return run;
}

}  // namespace

void bind_plan(py::module_& module) {
  py::class_<EnsemblePlan>(module, "EnsemblePlan")
      .def(py::init([](const HeldScenario& scenario, const Robot* robot, const std::string& folder, std::size_t chunk,
                       bool compiled, int threads) {
             return std::make_unique<EnsemblePlan>(prepared_of(scenario, robot), folder,
                                                   PlanOptions{chunk, compiled, threads});
           }),
           py::arg("scenario"), py::arg("model"), py::arg("folder"), py::arg("chunk"), py::arg("compiled"),
           py::arg("threads"))
      .def("begin", &EnsemblePlan::begin, py::arg("resume"))
      .def_property_readonly("chunk_size", &EnsemblePlan::chunk_size)
      .def_property_readonly("count", &EnsemblePlan::chunks)
      .def(
          "chunk",
          [](const EnsemblePlan& plan, std::size_t index) {
            const Chunk chunk = plan.chunk(index);
            return py::make_tuple(chunk.first, chunk.count);
          },
          py::arg("index"))
      .def("run", &run_chunk, py::arg("index"))
      .def("collect", &collect, py::arg("merge"));
  module.def("run_over_ranks", &run_over_ranks, py::arg("scenario"), py::arg("model"), py::arg("folder"),
             py::arg("resume"), py::arg("merge"), py::arg("chunk"), py::arg("compiled"), py::arg("threads"),
             py::arg("comm"), py::arg("progress"));
}

}  // namespace ulna::python
