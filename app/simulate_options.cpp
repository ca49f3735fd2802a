#include "simulate_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "command.hpp"
#include "io/scenario/event_words.hpp"
#include "ulna/io/results/repeat.hpp"
#include "ulna/io/results/trajectory_format.hpp"
#include "ulna/io/scenario/load.hpp"

namespace ulna::app {

namespace {

/// As large as a scenario file can hold it.
CLI::Validator whole_number() {
  return {[](const std::string& text) {
            const bool whole = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
            return whole && text.size() <= 15 ? std::string()
                                              : fmt::format("'{}' is not a whole number of up to 15 digits", text);
          },
          ""};
}

/// An option is a place like a file: what is wrong with a number of it is told so.
JointNumbers placed(JointNumbers numbers, const char* option) {
  for (WrittenNumber& number : numbers) number.source.file = option;
  return numbers;
}

}  // namespace

void SimulateOptions::add_to(CLI::App& command) {
  command.add_option("scenario", scenario, "bundled scenario, scenario file, or robot")->type_name("SCENARIO|ROBOT");
  command.add_option("--again", again, "repeat the run that left this folder")->type_name("FOLDER");
  add_output_option(command, output, "folder for the results (default: NAME_run)", "FOLDER");
  add_packages_option(command);
  add_run_options(command);
  add_drive_options(command);
  add_ensemble_options(command);
  command.add_flag("--free-base", free_base, "let the robot's root float");
  add_numbers_option(command, "--gravity", gravity, "three numbers in m/s² (default: the robot's own)");
  add_payload_option(command, payloads);
  command.add_option("--allow-nonphysical", nonphysical, "simulate impossible mass data; say why")->type_name("REASON");
  for (const TrajectoryFormat& format : trajectory_formats()) {
    if (format.always) continue;
    command.add_flag_callback(
        "--" + std::string(format.name), [this, &format] { also.emplace_back(format.name); },
        std::string(format.title));
  }
  command.add_flag("--json", json, "print run.json instead of a summary");
}

void SimulateOptions::add_run_options(CLI::App& command) {
  add_positive(command, "--for", duration, "how long to simulate", "SECONDS");
  add_positive(command, "--every", every, "time between samples", "SECONDS");
  std::string names;
  for (const IntegratorInfo& row : integrators()) names += (names.empty() ? "" : ", ") + std::string(row.name);
  command.add_option("--integrator", integrator, names)->type_name("NAME");
  add_positive(command, "--tol", tolerance, "relative and absolute error per step", "X");
  add_positive(command, "--step", step, "fixed step; rk4 and symplectic need one", "SECONDS");
  add_positive(command, "--most-steps", most_steps,
               "give up a run that takes more steps (default: 1e8; not with fixed ones)", "N");
  command
      .add_option("--method", method,
                  "formulation of the forward dynamics, see `ulna fd --help`; schur or independent for closed loops")
      ->type_name("NAME");
  add_compiled_option(command, compiled);
  add_numbers_option(command, "--q0", q0, "positions at the start, or the name of a posture of the robot");
  add_numbers_option(command, "--v0", v0, "velocities at the start");
}

void SimulateOptions::add_drive_options(CLI::App& command) {
  command.add_option("--drive", drive, "free or constant (default: the scenario's own)")
      ->type_name("KIND")
      ->check(one_of({"free", "constant"}));
  add_numbers_option(command, "--tau", tau, "the torques of --drive constant");
  add_positive(command, "--sample", sample, "sample the drive at this period and hold it", "SECONDS");
  command.add_flag("--saturate", saturate, "limit the drives to the joints' effort limits");
  command.add_option("--wrench", wrenches, "moment and force at a link's mass centre, world axes, for the whole run")
      ->type_name("LINK=nx,ny,nz,fx,fy,fz")
      ->allow_extra_args(false);  // the next word may be the robot
  command.add_option("--limits", limits, "ignore, record or stop when a joint passes its limit")
      ->type_name("ACTION")
      ->check(one_of({event_words.begin(), event_words.end()}));
  add_positive(command, "--baumgarte", baumgarte, "pull closed loops together at this rate instead of projecting",
               "1/S");
}

void SimulateOptions::add_ensemble_options(CLI::App& command) {
  command.add_option("--runs", runs, "number of runs of an ensemble; 0: the nominal run alone")
      ->type_name("N")
      ->check(whole_number());
  command
      .add_option("--vary", vary,
                  "what differs from run to run, as in q=normal:5deg or payload=uniform:0..2kg; see below")
      ->type_name("WHAT=LAW:SPREAD")
      ->allow_extra_args(false);  // the next word may be the robot
  command
      .add_option("--keep", keep, "what an ensemble keeps of every sample: q, v, a, tau, tip, energy … (default: q)")
      ->type_name("COLUMNS,...")
      ->check(CLI::Validator([](const std::string& text) { return text.empty() ? "names nothing" : ""; }, ""));
  command.add_option("--threads", threads, "for an ensemble (default: as many as the machine has)")
      ->type_name("N")
      ->check(thread_number());
  command.add_flag("--resume", resume, "go on with an ensemble that was interrupted or killed; the same call again");
  command
      .add_option("--chunk", chunk,
                  "keep the runs in shards of so many, as processes of mpirun do; memory does not grow with the runs")
      ->type_name("RUNS")
      ->check(whole_number())
      ->check(CLI::PositiveNumber);
  command.add_flag("--merge", merge, "one ensemble.h5 that holds all runs, instead of one over the shards");
  command.add_option("--seed", seed, "of the noise and of what is varied")->type_name("N")->check(whole_number());
}

Scenario SimulateOptions::applied() const {
  if (scenario.empty() && again.empty())
    throw InputError("simulate what? Give a scenario (see `ulna scenarios`), a robot, or --again FOLDER");
  if (!scenario.empty() && !again.empty())
    throw InputError("--again repeats the run of a folder; leave the scenario out");
  Scenario changed = again.empty() ? load_scenario(scenario) : repeated_scenario(again);
  override_robot(changed);
  override_run(changed);
  override_drive(changed);
  override_ensemble(changed);
  return changed;
}

void SimulateOptions::override_ensemble(Scenario& s) const {
  if (runs >= 0) s.ensemble.runs = static_cast<std::size_t>(runs);
  if (s.ensemble.runs == 0) {
    const char* alone = !vary.empty()   ? "--vary"
                        : !keep.empty() ? "--keep"
                        : threads > 0   ? "--threads"
                        : resume        ? "--resume"
                        : chunk > 0     ? "--chunk"
                        : merge         ? "--merge"
                                        : nullptr;
    if (alone != nullptr) throw InputError(fmt::format("{} is for ensembles; say how many with --runs", alone));
    return;
  }
  if (!vary.empty()) s.ensemble.vary.clear();
  for (const std::string& text : vary) s.ensemble.vary.push_back(parse_variation(text));
  if (!keep.empty()) s.ensemble.keep = words_of(keep);
}

void SimulateOptions::override_robot(Scenario& s) const {
  s.free_base |= free_base;
  if (!gravity.empty()) {
    const std::vector<double> g = numbers("--gravity", gravity, 3);
    s.gravity = Vec3<double>{g[0], g[1], g[2]};
  }
  for (const std::string& payload : payloads) s.payloads.push_back(given_payload(payload));
  if (!nonphysical.empty()) s.nonphysical_reason = nonphysical;
}

void SimulateOptions::override_run(Scenario& s) const {
  if (duration > 0.0) s.duration = duration;
  if (every > 0.0) s.every = every;
  if (tolerance > 0.0) s.relative = s.absolute = tolerance;
  if (!integrator.empty()) {
    s.integrator = integrator;
    s.step = 0.0;  // it belonged to the other one
  }
  if (step > 0.0) s.step = step;
  if (most_steps > 0.0) s.most_steps = most_steps;
  if (baumgarte > 0.0) s.baumgarte = baumgarte;
  if (!method.empty()) s.method = method;
  if (seed >= 0) s.seed = static_cast<std::uint64_t>(seed);
  if (!q0.empty()) start_at(s);
  if (!v0.empty()) s.v = placed(written_numbers("--v0", v0), "--v0");
  if (const auto action = event_action(limits)) s.limits = *action;
}

/// By numbers, or by the name of a posture of the robot: a word without commas.
void SimulateOptions::start_at(Scenario& s) const {
  s.posture.clear();
  s.q.clear();
  if (std::isalpha(static_cast<unsigned char>(q0.front())) != 0 && q0.find(',') == std::string::npos)
    s.posture = q0;
  else
    s.q = placed(written_numbers("--q0", q0), "--q0");
}

void SimulateOptions::override_drive(Scenario& s) const {
  if (!tau.empty() && drive == "free")
    throw InputError("--tau gives torques and --drive free forbids them; choose one");
  if (drive == "constant" && tau.empty()) throw InputError("--drive constant needs --tau");
  if (!drive.empty() || !tau.empty()) {
    s.drive = ScenarioDrive{};
    s.drive.kind = tau.empty() ? "free" : "constant";
    if (!tau.empty()) s.drive.torque = numbers("--tau", tau, words_of(tau).size());
  }
  if (sample > 0.0) s.drive.sample = sample;
  s.drive.saturate |= saturate;
  for (const std::string& option : wrenches) {
    const auto [link, wrench] = given_wrench(option);
    ScenarioLoad load;
    load.link = link;
    load.moment = wrench.moment;
    load.force = wrench.force;
    s.loads.push_back(load);
  }
}

}  // namespace ulna::app
