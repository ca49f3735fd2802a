#include "ulna/study/ensemble.hpp"

#include <algorithm>
#include <array>

#include "base/expect_threads.hpp"
#include "study/compiled_scenario.hpp"

namespace ulna {

namespace {

EnsembleSetup setup_of(const Scenario& scenario, const Model& model, const VariedRuns& varied) {
  EnsembleSetup setup;
  setup.nominal = varied.nominal();
  setup.runs = scenario.ensemble.runs;
  setup.vary = [&varied](std::size_t k) { return varied.run(k); };
  setup.own_robots = varied.varies_robot();
  setup.varied_bodies = varied.varied_bodies();
  const std::vector<Column> columns = trajectory_columns(model, reference_of(setup.nominal.actions.drive) != nullptr);
  setup.keep = select_columns(columns, scenario.ensemble.keep, scenario.source);
  return setup;
}

/// The positions of the run that the others differ from.
class Positions final : public Recorder {
 public:
  Positions(NominalRun& run, std::size_t nq) : run_(run), nq_(nq) {}
  void record(std::span<const double> row) override {
    run_.times.push_back(row[0]);
    for (const double x : row.subspan(1, nq_)) run_.positions.push_back(x);
  }

 private:
  NominalRun& run_;
  std::size_t nq_;
};

}  // namespace

PreparedEnsemble::PreparedEnsemble(Scenario given) : PreparedEnsemble(Ready{}, given, robot_of(given)) {}

PreparedEnsemble::PreparedEnsemble(Scenario given, const Graph& robot)
    : PreparedEnsemble(Ready{}, given, robot_of(given, robot)) {}

PreparedEnsemble::PreparedEnsemble(Ready, Scenario given, Graph robot)
    : scenario(std::move(given)),
      graph(std::move(robot)),
      model(build(graph)),
      varied(scenario, graph, model),
      setup(setup_of(scenario, model, varied)) {
  if (scenario.ensemble.runs == 0)
    throw InputError(scenario.source, "the scenario has no ensemble; give it a number of runs");
}

void check_options(const PreparedEnsemble& prepared, const EnsembleOptions& options) {
  expect_threads(options.threads);
  if (!options.compiled) return;
  expect_no_method(prepared.scenario);
  const EnsembleSetup& setup = prepared.setup;
  if (!pack_refusal(prepared.model, setup).empty())
    throw InputError("compiled code is for runs that go in packs, and these go each on its own (doc/ensembles.md)");
  if (!setup.nominal.actions.held.loads.empty() || !setup.nominal.actions.frame_loads.empty())
    throw InputError("compiled code does not support loads on links");
}

EnsembleRecord run_ensemble(const Scenario& scenario, const EnsembleOptions& options) {
  return run_ensemble(std::make_shared<const PreparedEnsemble>(scenario), options);
}

EnsembleSetup setup_of(const PreparedEnsemble& prepared, const EnsembleOptions& options) {
  check_options(prepared, options);
  EnsembleSetup setup = prepared.setup;
  setup.threads = options.threads;
  setup.journal = options.journal;
  if (options.compiled) setup.code = EnsembleCode::compiled;
  return setup;
}

/// For the picture only: where it cannot be made, the ensemble is told without one.
NominalRun simulate_nominal(const PreparedEnsemble& prepared, const std::function<bool()>& proceed) {
  const Model& model = prepared.model;
  SimulationSetup setup = prepared.varied.nominal();
  const std::size_t fewest = 2, smooth = 400;  // frames, as smooth as eyes want it
  const double frames = static_cast<double>(
      std::clamp<std::size_t>(120'000 / static_cast<std::size_t>(model.body_count()), fewest, smooth));
  setup.every = setup.duration / frames;
  setup.at_limits = EventAction::ignore;
  NominalRun run;
  Positions positions(run, static_cast<std::size_t>(model.nq()));
  try {
    simulate(model, setup, positions, [&](const RunProgress&) { return !proceed || proceed(); });
  } catch (const InputError& error) {
    run.note = error.findings().front().reason;
  }
  return run;
}

EnsembleRecord run_ensemble(std::shared_ptr<const PreparedEnsemble> prepared, const EnsembleOptions& options) {
  const EnsembleSetup setup = setup_of(*prepared, options);
  EnsembleRecord record{.prepared = std::move(prepared)};
  record.result = simulate_ensemble(record.prepared->model, setup, options.proceed);
  std::vector<EnsembleRunResult>& runs = record.result.runs;
  for (std::size_t k = 0; k < runs.size(); ++k)  // of those that never began or came from the journal
    if (runs[k].drawn.values.empty()) runs[k].drawn = record.prepared->varied.draw(k);
  if (record.status() == RunStatus::interrupted) return record;
  const EnsembleProgress all{runs.size(), runs.size(), 0, record.result.wall};
  record.nominal = simulate_nominal(*record.prepared, [&] { return !options.proceed || options.proceed(all); });
  return record;
}

std::span<const RunStatus> run_statuses() {
  static constexpr std::array all{RunStatus::completed,  RunStatus::stopped_by_event, RunStatus::step_too_small,
                                  RunStatus::not_finite, RunStatus::not_converged,    RunStatus::diverged,
                                  RunStatus::too_stiff,  RunStatus::interrupted};
  return all;
}

std::size_t EnsembleRecord::count(RunStatus status) const {
  return static_cast<std::size_t>(std::count_if(result.runs.begin(), result.runs.end(),
                                                [&](const EnsembleRunResult& run) { return run.status == status; }));
}

RunStatus EnsembleRecord::status() const {
  if (count(RunStatus::interrupted) > 0) return RunStatus::interrupted;
  for (const RunStatus status : run_statuses().subspan(1))
    if (count(status) > 0) return status;
  return RunStatus::completed;
}

std::vector<std::size_t> EnsembleRecord::failed(std::size_t most) const {
  std::vector<std::size_t> list;
  for (std::size_t k = 0; k < result.runs.size() && list.size() < most; ++k) {
    const RunStatus own = result.runs[k].status;
    if (own != RunStatus::completed && own != RunStatus::interrupted) list.push_back(k);
  }
  return list;
}

}  // namespace ulna
