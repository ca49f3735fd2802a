#include <fmt/format.h>

#include <cmath>

#include "command.hpp"
#include "interrupt.hpp"
#include "io/report/run_head.hpp"
#include "io/results/run_files.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "simulate_ensemble.hpp"
#include "ulna/io/results/page.hpp"
#include "ulna/study/ranks.hpp"

namespace ulna::app {

namespace {

/// Seconds, at the pace so far.
double time_left(const RunProgress& at, double duration) {
  return at.t > 0.0 ? at.wall * (duration - at.t) / at.t : NAN;
}

/// Once, some seconds after the start, for those who do not look at the terminal.
class Forecast {
 public:
  void at(const RunProgress& progress, double duration) {
    if (told_ || progress.wall < 20.0) return;
    told_ = true;
    const double left = time_left(progress, duration);
    if (!(left > 3600.0)) return;
    fmt::print(stderr,
               "note: at this pace the run takes {} more; a longer step, a coarser tolerance or another integrator is "
               "faster\n",
               duration_text(left));
  }

 private:
  bool told_ = false;
};

std::string progress_text(const RunProgress& at, double duration) {
  const double left = time_left(at, duration);
  return fmt::format("t = {:.4g} of {:g} s, {:.3g} × real time, {} steps, {} left", at.t, duration,
                     at.t / std::max(at.wall, 1e-9), at.statistics.steps, duration_text(left));
}

void print_summary(const Record& record, const std::string& folder, bool has_report) {
  const RunResult& r = record.result;
  const IntegratorStatistics& s = r.statistics;
  const auto line = [](const char* name, const std::string& value) { fmt::print("  {:<16}{}\n", name, value); };
  const std::string subject = subject_of(record.scenario, *record.graph);
  fmt::print("{}{}{}\n", record.scenario.name, subject.empty() ? "" : ": ", subject);
  line("status", r.status == RunStatus::completed
                     ? fmt::format("completed, t = {:g} s", r.time)
                     : fmt::format("{} at t = {:.12g} s: {}", name_of(r.status), r.time, r.reason));
  line("integrator",
       fmt::format(
           "{}, {} steps, {} rejected, {} right-hand sides{}", record.scenario.integrator, s.steps, s.rejected,
           s.right_hand_sides,
           s.jacobians > 0 ? fmt::format(", {} Jacobians, {} factorisations", s.jacobians, s.factorisations) : ""));
  line("formulation", record.method);
  line("wall clock", fmt::format("{:.3g} s, {:.3g} × real time", r.wall, r.time / std::max(r.wall, 1e-9)));
  line("energy balance",
       fmt::format("largest |energy − work| {:.2e} J, of {:.3g} J exchanged", r.largest_imbalance, r.largest_energy));
  if (!record.model->loops().empty()) {
    line("closed loops",
         fmt::format("largest residual {:.2e}{}", r.largest_residual,
                     r.start_moved > 1e-9
                         ? fmt::format("; the start was moved by up to {:.3g} to close them", r.start_moved)
                         : ""));
  }
  if (record.growth) {
    line("playback",
         fmt::format("without feedback small deviations grow {:.2g} times until t = {:g} s, {:.3g} per second",
                     record.growth->largest.amplification, record.growth->largest.t, record.growth->rate));
  }
  for (std::size_t i = 0; i < std::min<std::size_t>(r.events.size(), 5); ++i)
    line("event", fmt::format("t = {:.12g} s: {}", r.events[i].t, r.events[i].text));
  if (r.event_count > 5)
    line("", fmt::format("and {} more; run.json has {}", r.event_count - 5,
                         static_cast<std::size_t>(r.event_count) == r.events.size() ? "all" : "the first thousand"));
  line("samples", fmt::format("{} in {}/trajectory.csv", r.samples, folder));
  if (has_report) line("report", fmt::format("{}/report.html", folder));
}

int run_one(const SimulateOptions& options) {
  Scenario scenario = options.applied();
  if (scenario.ensemble.runs > 0) return simulate_many(options, scenario);
  const PreparedRun prepared = prepare(std::move(scenario));
  print_notices(*prepared.graph, prepared.scenario.robot);
  print_unreadable_meshes(*prepared.graph, prepared.scenario.robot);
  const std::string folder = options.output.empty() ? prepared.scenario.name + "_run" : options.output;
  const std::vector<const TrajectoryFormat*> formats = formats_of(options.also);
  RunFiles files(folder, *prepared.model, formats);
  const InterruptGuard guard;  // until all files are in place
  const Record record = [&] {
    Progress progress(!options.json);
    Forecast forecast;
    const double duration = prepared.setup.duration;
    return run(prepared, files, {options.compiled, [&](const RunProgress& at) {
                                   progress.at([&] { return progress_text(at, duration); });
                                   forecast.at(at, duration);
                                   return !InterruptGuard::interrupted();
                                 }});
  }();
  if (!record.note.empty()) fmt::print(stderr, "note: {}\n", record.note);
  files.commit(record, report_page());
  note_replaced(files.replaced(), folder);
  if (options.json)
    fmt::print("{}", run_json(record, formats));
  else
    print_summary(record, folder, !report_page().empty());
  return InterruptGuard::exit_code(record.result.status);
}

}  // namespace

void add_simulate(CLI::App& app, Outcome& outcome) {
  CLI::App* command = app.add_subcommand("simulate", "a run: trajectory, summary and report in a folder");
  command->footer(
      "Examples: ulna simulate stanford_free_fall\n"
      "          ulna simulate puma560 --q0 0,-90deg,90deg,0,0,0 --for 5 --integrator bdf -o fall\n"
      "          ulna simulate my_scenario.toml --tol 1e-12   (doc/scenario_files.md has the format)\n"
      "          ulna simulate ur5_like --runs 10000 --vary q=normal:5deg --integrator dp5 --tol 1e-6\n"
      "          mpirun -n 64 ulna simulate ur5_like --runs 1000000 --vary q=normal:5deg   (doc/cluster.md)\n"
      "`ulna scenarios` lists the bundled ones. Exit 1: the run ended early, the folder says why.\n"
      "--vary: [JOINT.]q, v, tau, kp, kd, to, friction, coulomb (q2: joint 2; q: each), [LINK.]mass, payload;\n"
      "=normal:DEVIATION or =uniform:FROM..TO; units deg, kg; parts of the nominal value by % or x. doc/ensembles.md.");
  auto options = std::make_shared<SimulateOptions>();
  options->add_to(*command);
  command->callback(
      [options, &outcome] { outcome.exit_code = launched_rank() ? simulate_over_ranks(*options) : run_one(*options); });
}

}  // namespace ulna::app
