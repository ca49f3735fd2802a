#include "simulate_ensemble.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "command.hpp"
#include "interrupt.hpp"
#include "io/report/run_head.hpp"
#include "output.hpp"
#include "over_ranks.hpp"
#include "progress.hpp"
#include "ulna/io/results/ensemble_folder.hpp"
#include "ulna/io/results/ensemble_plan.hpp"
#include "ulna/io/results/page.hpp"

namespace ulna::app {

namespace {

std::string progress_text(const EnsembleProgress& at) {
  return pace_text(at.finished, at.runs, "runs", at.recalled, at.wall);
}

void print_ends(const EnsembleSummary& summary) {
  std::vector<std::vector<std::string>> rows{{"at the end", "5 %", "median", "95 %", "unit"}};
  for (std::size_t c = 0; c < summary.ends.size(); ++c) {
    const Percentiles& p = summary.ends[c].percentiles;
    const Column& column = summary.frame.columns[c];
    rows.push_back({column.name, short_number(p[0]), short_number(p[2]), short_number(p[4]), column.unit});
  }
  print_table(rows);
}

void print_summary(const EnsembleSummary& summary, const std::string& folder, bool has_report) {
  const EnsembleResult& frame = summary.frame;
  const auto line = [](const std::string& name, const std::string& value) { fmt::print("  {:<18}{}\n", name, value); };
  const std::string subject = subject_of(summary.prepared->scenario, summary.prepared->graph);
  fmt::print("{}{}{}\n", summary.prepared->scenario.name, subject.empty() ? "" : ": ", subject);
  for (const RunStatus status : run_statuses())
    if (const std::size_t count = summary.count(status); count > 0)
      line(std::string(name_of(status)), fmt::format("{} of {} runs", count, summary.runs));
  for (std::size_t i = 0; i < std::min<std::size_t>(5, summary.failures.size()); ++i) {
    const FailedRun& run = summary.failures[i];
    line(fmt::format("run {}", run.run),
         fmt::format("{} at t = {:.12g} s: {}", name_of(run.status), run.time, run.reason));
  }
  line("formulation", frame.packed ? frame.method + ", in packs" : frame.method);
  line("wall clock",
       fmt::format(
           "{:.3g} s on {} thread{}, {:.3g} runs per second", frame.wall, frame.threads, frame.threads == 1 ? "" : "s",
           static_cast<double>(summary.runs - summary.count(RunStatus::interrupted)) / std::max(frame.wall, 1e-9)));
  if (!summary.ends.empty()) print_ends(summary);
  line("results", fmt::format("{}/ensemble.h5", folder));
  if (summary.status() == RunStatus::interrupted) line("", "the same call with --resume runs the rest");
  if (has_report) line("report", fmt::format("{}/report.html", folder));
}

void print_notes(const EnsembleSummary& summary) {
  if (!summary.frame.note.empty()) fmt::print(stderr, "note: {}\n", summary.frame.note);
  if (!summary.nominal.note.empty())
    fmt::print(stderr, "note: the nominal run is not drawn: {}\n", summary.nominal.note);
}

void tell(const EnsembleSummary& summary, bool replaced, const std::string& folder, const SimulateOptions& options) {
  print_notes(summary);
  note_replaced(replaced && !options.resume, folder);
  if (options.json)
    fmt::print("{}", ensemble_json(summary));
  else
    print_summary(summary, folder, !report_page().empty());
}

std::string folder_of(const SimulateOptions& options, const Scenario& scenario) {
  return options.output.empty() ? scenario.name + "_run" : options.output;
}

std::shared_ptr<const PreparedEnsemble> prepared_of(const SimulateOptions& options, const Scenario& scenario) {
  if (!options.also.empty())
    throw InputError(
        fmt::format("--{} is for single runs; an ensemble always writes ensemble.h5", options.also.front()));
  return std::make_shared<const PreparedEnsemble>(scenario);
}

void print_interrupted(const ChunkedEnsemble& result, std::size_t runs, const std::string& folder, bool json) {
  if (json)
    return print_json({{"status", name_of(RunStatus::interrupted)}, {"runs", runs}, {"finished", result.finished}});
  fmt::print(
      "interrupted: {} of {} runs are finished, in {}/ensemble.shards; the same call with --resume runs the rest\n",
      result.finished, runs, folder);
}

/// By this process alone, or by all ranks; the first of them prints.
int simulate_chunks(const SimulateOptions& options, std::shared_ptr<const PreparedEnsemble> prepared,
                    Communicator& ranks) {
  const std::size_t runs = prepared->scenario.ensemble.runs;
  const std::string folder = folder_of(options, prepared->scenario);
  const bool tells = ranks.rank() == 0;
  if (tells) print_notices(prepared->graph, prepared->scenario.robot);
  const InterruptGuard guard;
  ChunkedEnsemble result;
  {
    Progress progress(tells && !options.json);
    ChunkedOptions how{.folder = folder, .resume = options.resume, .merge = options.merge};
    how.plan = {.chunk = options.chunk, .compiled = options.compiled, .threads = options.threads};
    how.proceed = [&](const EnsembleProgress& at) {
      progress.at([&] { return progress_text(at); });
      return !InterruptGuard::interrupted();
    };
    result = run_ensemble(std::move(prepared), how, ranks);
  }
  const RunStatus status = result.interrupted ? RunStatus::interrupted : result.summary.status();
  if (!tells) return 0;  // one answer for all
  if (result.interrupted) {
    print_interrupted(result, runs, folder, options.json);
    return InterruptGuard::exit_code(status);
  }
  tell(result.summary, result.replaced, folder, options);
  return InterruptGuard::exit_code(status);
}

int simulate_whole(const SimulateOptions& options, const std::shared_ptr<const PreparedEnsemble>& prepared) {
  print_notices(prepared->graph, prepared->scenario.robot);
  const std::string folder = folder_of(options, prepared->scenario);
  EnsembleOptions how{.compiled = options.compiled, .threads = options.threads};
  const InterruptGuard guard;  // until all files are in place
  KeptEnsemble kept;
  {
    Progress progress(!options.json);
    how.proceed = [&](const EnsembleProgress& at) {
      progress.at([&] { return at.finished < at.runs ? progress_text(at) : std::string("writing …"); });
      return !InterruptGuard::interrupted();
    };
    kept = run_ensemble(prepared, EnsembleFolder{folder, options.resume}, how);
  }
  tell(kept.summary, kept.replaced, folder, options);
  return InterruptGuard::exit_code(kept.summary.status());
}

}  // namespace

int simulate_many(const SimulateOptions& options, const Scenario& scenario) {
  const auto prepared = prepared_of(options, scenario);
  const bool goes_on = options.resume && has_open_shards(folder_of(options, scenario));
  if (options.chunk == 0 && !goes_on && !options.merge) return simulate_whole(options, prepared);
  AloneCommunicator alone;
  return simulate_chunks(options, prepared, alone);
}

int simulate_over_ranks(const SimulateOptions& options) {
  return over_ranks([&](Communicator& ranks) {
    std::shared_ptr<const PreparedEnsemble> prepared;
    all_succeed(ranks, [&] {
      const Scenario scenario = options.applied();
      if (scenario.ensemble.runs == 0)
        throw InputError("a single run is the work of one process: leave mpirun out, or make an ensemble with --runs");
      prepared = prepared_of(options, scenario);
    });
    return simulate_chunks(options, std::move(prepared), ranks);
  });
}

}  // namespace ulna::app
