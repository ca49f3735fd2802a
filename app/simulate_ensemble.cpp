#include "simulate_ensemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "command.hpp"
#include "interrupt.hpp"
#include "io/results/ensemble_files.hpp"
#include "io/results/run_head.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "ulna/io/results/page.hpp"

namespace ulna::app {

namespace {

std::string progress_text(const EnsembleProgress& at) {
  const double pace = static_cast<double>(at.finished - at.recalled) / std::max(at.wall, 1e-9);
  const std::string left = pace == 0.0 ? "–" : duration_text(static_cast<double>(at.runs - at.finished) / pace);
  return fmt::format("{} of {} runs, {:.3g} per second, {} left", at.finished, at.runs, pace, left);
}

EnsembleSetup setup_of(const SimulateOptions& options, const Scenario& scenario, const Model& model,
                       const VariedRuns& varied) {
  EnsembleSetup setup;
  setup.nominal = varied.nominal();
  setup.runs = scenario.ensemble.runs;
  setup.vary = [&varied](std::size_t k) { return varied.run(k); };
  setup.own_robots = varied.varies_robot();
  const std::vector<Column> columns = trajectory_columns(model, reference_of(setup.nominal.actions.drive) != nullptr);
  setup.keep = select_columns(columns, scenario.ensemble.keep, scenario.source);
  setup.threads = options.threads;
  if (options.compiled) setup.code = EnsembleCode::compiled;
  return setup;
}

/// The positions of the run that the others differ from.
class Positions final : public Recorder {
 public:
  Positions(EnsembleRecord& record, std::size_t nq) : record_(record), nq_(nq) {}
  void record(std::span<const double> row) override {
    record_.nominal_times.push_back(row[0]);
    for (const double x : row.subspan(1, nq_)) record_.nominal_positions.push_back(x);
  }

 private:
  EnsembleRecord& record_;
  std::size_t nq_;
};

/// For the picture only: where it cannot be made, the ensemble is told without one.
void simulate_nominal(EnsembleRecord& record) {
  SimulationSetup setup = record.varied.nominal();
  const std::size_t fewest = 2, smooth = 400;  // frames, as smooth as eyes want it
  const double frames = static_cast<double>(
      std::clamp<std::size_t>(120'000 / static_cast<std::size_t>(record.model.body_count()), fewest, smooth));
  setup.every = setup.duration / frames;
  setup.at_limits = EventAction::ignore;
  Positions positions(record, static_cast<std::size_t>(record.model.nq()));
  try {
    simulate(record.model, setup, positions, [](const RunProgress&) { return !InterruptGuard::interrupted(); });
  } catch (const InputError& error) {
    fmt::print(stderr, "note: the nominal run is not drawn: {}\n", error.findings().front().reason);
  }
}

void print_ends(const EnsembleRecord& record) {
  const EnsembleResult& result = record.result;
  std::vector<std::vector<std::string>> rows{{"at the end", "5 %", "median", "95 %", "unit"}};
  const Bands bands = bands_of(result, 1);
  for (std::size_t c = 0; c < result.columns.size(); ++c) {
    const auto& p = bands.bands[c].percentiles;
    rows.push_back({result.columns[c].name, short_number(p[0].back()), short_number(p[2].back()),
                    short_number(p[4].back()), result.columns[c].unit});
  }
  print_table(rows);
}

void print_summary(const EnsembleRecord& record, const std::string& folder, bool has_report) {
  const EnsembleResult& result = record.result;
  const auto line = [](const std::string& name, const std::string& value) { fmt::print("  {:<18}{}\n", name, value); };
  const std::string subject = subject_of(record.scenario, record.graph);
  fmt::print("{}{}{}\n", record.scenario.name, subject.empty() ? "" : ": ", subject);
  for (const RunStatus status : run_statuses())
    if (const std::size_t count = record.count(status); count > 0)
      line(std::string(name_of(status)), fmt::format("{} of {} runs", count, result.runs.size()));
  for (const std::size_t k : record.failed(5)) {
    const EnsembleRunResult& run = result.runs[k];
    line(fmt::format("run {}", k), fmt::format("{} at t = {:.12g} s: {}", name_of(run.status), run.time, run.reason));
  }
  line("formulation", result.packed ? result.method + ", in packs" : result.method);
  line("wall clock", fmt::format("{:.3g} s on {} thread{}, {:.3g} runs per second", result.wall, result.threads,
                                 result.threads == 1 ? "" : "s",
                                 static_cast<double>(result.runs.size() - record.count(RunStatus::interrupted)) /
                                     std::max(result.wall, 1e-9)));
  if (!result.columns.empty()) print_ends(record);
  line("results", fmt::format("{}/ensemble.h5", folder));
  if (record.status() == RunStatus::interrupted) line("", "the same call with --resume runs the rest");
  if (has_report) line("report", fmt::format("{}/report.html", folder));
}

}  // namespace

int run_ensemble(const SimulateOptions& options, const Scenario& scenario) {
  const Graph graph = robot_of(scenario);
  print_notices(graph, scenario.robot);
  const Model model = build(graph);
  const VariedRuns varied(scenario, graph, model);
  EnsembleSetup setup = setup_of(options, scenario, model, varied);
  if (options.compiled && !pack_refusal(model, setup).empty())
    throw InputError("--compiled is for runs that go in packs, and these go each on its own (doc/ensembles.md)");
  if (options.compiled && !setup.nominal.actions.held.loads.empty())
    throw InputError("--compiled is for runs without loads on links: generated code has no place for them");
  if (options.hdf5) throw InputError("--hdf5 is for single runs; an ensemble always writes ensemble.h5");
  const std::string folder = options.output.empty() ? scenario.name + "_run" : options.output;
  EnsembleFiles files(folder, identity_of(scenario, graph), options.resume);
  setup.journal = &files.journal();
  EnsembleRecord record{scenario, graph, model, varied, {}, {}, {}};
  const InterruptGuard guard;  // until all files are in place
  {
    Progress progress(!options.json);
    record.result = simulate_ensemble(model, setup, [&](const EnsembleProgress& at) {
      progress.at([&] { return progress_text(at); });
      return !InterruptGuard::interrupted();
    });
    progress.at([] { return std::string("writing …"); });
  }
  if (!record.result.note.empty()) fmt::print(stderr, "note: {}\n", record.result.note);
  if (!InterruptGuard::interrupted()) simulate_nominal(record);
  files.commit(record, report_page());
  note_replaced(files.replaced() && !options.resume, folder);
  if (options.json)
    fmt::print("{}", ensemble_json(record));
  else
    print_summary(record, folder, !report_page().empty());
  return InterruptGuard::exit_code(record.status());
}

}  // namespace ulna::app
