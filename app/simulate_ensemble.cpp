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
  const std::string subject = subject_of(record.prepared->scenario, record.prepared->graph);
  fmt::print("{}{}{}\n", record.prepared->scenario.name, subject.empty() ? "" : ": ", subject);
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

int simulate_many(const SimulateOptions& options, const Scenario& scenario) {
  const auto prepared = std::make_shared<const PreparedEnsemble>(scenario);
  print_notices(prepared->graph, scenario.robot);
  EnsembleOptions how{.compiled = options.compiled, .threads = options.threads};
  check_options(*prepared, how);
  if (options.hdf5) throw InputError("--hdf5 is for single runs; an ensemble always writes ensemble.h5");
  const std::string folder = options.output.empty() ? scenario.name + "_run" : options.output;
  EnsembleFiles files(folder, identity_of(scenario, prepared->graph), options.resume);
  const InterruptGuard guard;  // until all files are in place
  EnsembleRecord record;
  {
    Progress progress(!options.json);
    how.journal = &files.journal();
    how.proceed = [&](const EnsembleProgress& at) {
      progress.at([&] { return progress_text(at); });
      return !InterruptGuard::interrupted();
    };
    record = run_ensemble(prepared, how);
    progress.at([] { return std::string("writing …"); });
  }
  if (!record.result.note.empty()) fmt::print(stderr, "note: {}\n", record.result.note);
  if (!record.nominal_note.empty()) fmt::print(stderr, "note: the nominal run is not drawn: {}\n", record.nominal_note);
  files.commit(record, report_page());
  note_replaced(files.replaced() && !options.resume, folder);
  if (options.json)
    fmt::print("{}", ensemble_json(record));
  else
    print_summary(record, folder, !report_page().empty());
  return InterruptGuard::exit_code(record.status());
}

}  // namespace ulna::app
