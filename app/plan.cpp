#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>

#include "command.hpp"
#include "io/results/plan_page.hpp"
#include "output.hpp"
#include "ulna/base/atomic_file.hpp"
#include "ulna/plan/least_motion.hpp"
#include "ulna/plan/timed_motion.hpp"
#include "ulna/study/path_plan.hpp"

namespace ulna::app {

namespace {

const std::vector<std::string> costs{"time", "torque", "energy"};  // in the order of LeastOf

struct PlanOptions : RobotOptions {
  std::vector<std::string> through, tip;
  std::string path, start, to, frame, velocity, acceleration, effort, power, jerk, torque_rate, output, report,
      least = costs.front();
  double error = 0.0, every = 0.01, tip_speed = std::numeric_limits<double>::infinity(), time = 0.0;
  double tip_force = std::numeric_limits<double>::infinity(), tip_mass = 0.0;
  bool straight = false;
  int points = 0;  // the library's

  LeastOf least_of() const {
    return static_cast<LeastOf>(std::find(costs.begin(), costs.end(), least) - costs.begin());
  }
};

/// What the options say, as a path file would.
PathPlan plan_of(const PlanOptions& options) {
  if (options.path.empty() + options.through.empty() + options.tip.empty() + options.to.empty() != 3) {
    throw InputError(
        "give the path by --path, the waypoints by --through, or those of the tip by --tip; without a path, the end by "
        "--to");
  }
  if (!options.path.empty()) return load_path_plan(options.path);
  PathPlan plan;
  plan.frame = options.frame;
  for (const std::string& text : options.tip) {
    const auto [position, orientation] = given_pose("--tip", text);
    if (!orientation && options.start.empty())
      throw InputError("--tip x,y,z keeps the orientation that it has at --start; give that");
    plan.moves.push_back({.line = position, .orientation = orientation});
  }
  return plan;
}

/// Positions are resolved here: they may be the name of a posture.
void add_positions(const PlanOptions& options, const Model& model, PathPlan& plan) {
  if (!options.start.empty()) plan.start = positions(model, options.start, "--start");
  std::vector<JointNumbers> waypoints;
  for (const std::string& text : options.through) waypoints.emplace_back(positions(model, text, "--through"));
  if (waypoints.empty()) return;
  if (!options.straight) return plan.moves.push_back({.through = std::move(waypoints)});
  for (const JointNumbers& waypoint : waypoints) plan.moves.push_back({.joints = waypoint, .blend = options.error});
}

/// What the tip carries where neither the command nor the file says so: the payloads there.
void add_tip_load(const PlanOptions& options, const Model& model, PathPlan& plan) {
  if (std::isfinite(options.tip_force)) plan.tip_force = options.tip_force;
  if (options.tip_mass > 0.0) {
    if (!std::isfinite(plan.tip_force)) throw InputError("--tip-mass is what --tip-force holds; give that too");
    plan.tip_mass = options.tip_mass;
    plan.tip_com = {};
  }
  if (!std::isfinite(plan.tip_force) || plan.tip_mass > 0.0) return;
  MassData carried;
  for (const std::string& text : options.payloads) {
    const Payload payload = given_payload(text);
    if (payload.frame.empty() || payload.frame == model.tip().name) carried = merged(carried, payload.mass);
  }
  plan.tip_mass = carried.mass;
  plan.tip_com = carried.com;
}

void add_limits(const PlanOptions& options, PathPlan& plan) {
  for (const auto& [option, text, list] : {std::tuple{"--velocity", &options.velocity, &plan.velocity},
                                           {"--acceleration", &options.acceleration, &plan.acceleration},
                                           {"--effort", &options.effort, &plan.effort},
                                           {"--power", &options.power, &plan.power},
                                           {"--jerk", &options.jerk, &plan.jerk},
                                           {"--torque-rate", &options.torque_rate, &plan.torque_rate}})
    if (!text->empty()) *list = written_numbers(option, *text);
  if (std::isfinite(options.tip_speed)) plan.tip_speed = options.tip_speed;
}

std::string csv_of_plan(const TimedMotion& motion, std::size_t joints) {
  return motion_csv(joints, motion.count(),
                    [&](std::size_t row, std::size_t column) { return motion.rows[row * motion.width + column]; });
}

/// A timing is worked out from the end to the beginning: what is impossible everywhere shows there.
std::string place_on(const Path& path, double at) {
  constexpr double near_end = 0.99;
  return at > near_end * path.length() ? ", at the end of the path, and perhaps before it"
                                       : fmt::format(", after {:.4g} of {:.4g} of the path", at, path.length());
}

int refuse(const PlanOptions& options, const Path* path, const Timing& timing) {
  if (options.json) {
    Json answer{{"possible", false}, {"reason", timing.reason}};
    if (path != nullptr) answer.update({{"at", timing.blocked_at}, {"length", path->length()}});
    print_json(answer);
  } else {
    fmt::print("impossible: {}{}\n", timing.reason, path == nullptr ? "" : place_on(*path, timing.blocked_at));
  }
  return 1;
}

int refuse_tip_path(const PlanOptions& options, const TipPath& followed) {
  if (options.json) {
    print_json(
        {{"possible", false}, {"reason", followed.reason}, {"leg", followed.leg + 1}, {"share", followed.share}});
  } else {
    fmt::print("impossible: the path ends after {:.3g} % of move {}: {}\n", 100.0 * followed.share, followed.leg + 1,
               followed.reason);
  }
  return 1;
}

/// `rows`: of the output. `free`: what a motion without a given path has besides; null: there is one.
void print_plan(const PlanOptions& options, const Model& model, const TimingLimits& limits, const Timing& timing,
                const MotionPeaks& peaks, std::size_t rows, const LeastMotion* free) {
  if (options.json) {
    Json answer{{"possible", true},
                {"time", timing.duration()},
                {"peak_velocity", peaks.velocity},
                {"peak_acceleration", peaks.acceleration},
                {"peak_torque", peaks.torque}};
    if (!options.output.empty()) answer["rows"] = rows;
    if (free == nullptr)
      answer["length"] = timing.s.back();
    else
      answer.update({{"torque_square", free->torque_square}, {"energy", free->energy}, {"straight", free->straight}});
    return print_json(answer);
  }
  std::vector<std::vector<std::string>> table{{"joint", "largest speed", "acceleration", "torque"}};
  const std::vector<std::string> names = degree_names(model);
  for (std::size_t k = 0; k < names.size(); ++k) {
    table.push_back({names[k], with_share(peaks.velocity[k], limits.velocity[k]),
                     with_share(peaks.acceleration[k], limits.acceleration[k]),
                     with_share(peaks.torque[k], limits.torque[k])});
  }
  print_table(table);
  fmt::print("\ntime: {:.6g} s\n", timing.duration());
  if (free != nullptr) {
    fmt::print("torque²: {:.6g} (N m)² s, energy that the motors give: {:.6g} J\n", free->torque_square, free->energy);
    if (std::isfinite(free->straight) && free->straight > 0.0)
      fmt::print("straight in the joints, at its fastest: {:.6g} s\n", free->straight);
  }
  if (!options.output.empty()) fmt::print("{} rows in {}\n", rows, options.output);
  if (!options.report.empty()) fmt::print("pictures in {}\n", options.report);
}

/// The pictures, and beside them the arm on its way in three dimensions.
void write_pages(const PlanOptions& options, const Graph& graph, const Model& model, const PathPlan& plan,
                 const TimingLimits& limits, const Path& path, const Timing& timing) {
  const std::string title = plan.title.empty() ? fmt::format("{}: a planned motion", model.name()) : plan.title;
  const std::filesystem::path report = options.report;
  const std::string name = report.stem().string() + "_3d.html";
  const std::string scene = plan_scene(title, graph, model, path, timing);
  const Frame& frame = frame_named(model, "--frame", plan.frame);
  write_file(options.report, plan_page(title, model, frame, limits, path, timing, scene.empty() ? "" : name));
  if (!scene.empty()) write_file((report.parent_path() / name).string(), scene);
}

/// Writes what is asked for and tells it.
void finish(const PlanOptions& options, const Graph& graph, const Model& model, const PathPlan& plan,
            const TimingLimits& limits, const Path& path, const Timing& timing, const LeastMotion* free) {
  std::size_t rows = 0;
  if (!options.output.empty()) {
    const TimedMotion motion = timed_motion(model, path, timing, options.every);
    write_file(options.output, csv_of_plan(motion, path.width()));
    rows = motion.count();
  }
  const MotionPeaks peaks = motion_peaks(model, path, timing);
  if (!options.report.empty()) write_pages(options, graph, model, plan, limits, path, timing);
  print_plan(options, model, limits, timing, peaks, rows, free);
}

void run_without_path(const PlanOptions& options, const Graph& graph, const Model& model, const PathPlan& plan,
                      const TimingLimits& limits, Outcome& outcome) {
  if (options.start.empty()) throw InputError("--to needs --start, where the motion begins");
  LeastMotionOptions how{.least = options.least_of(), .duration = options.time};
  if (options.points != 0) how.intervals = options.points;
  const LeastMotion found = least_motion(model, positions(model, options.start, "--start"),
                                         positions(model, options.to, "--to"), limits, how);
  if (!found.possible()) {
    outcome.exit_code = refuse(options, nullptr, found.timing);
    return;
  }
  finish(options, graph, model, plan, limits, *found.path, found.timing, &found);
}

void run(const PlanOptions& options, Outcome& outcome) {
  const Graph graph = options.graph();
  const Model model = build(graph);
  PathPlan plan = plan_of(options);
  add_limits(options, plan);
  add_tip_load(options, model, plan);
  const TimingLimits limits = limits_of(plan, model);
  if (!options.to.empty()) return run_without_path(options, graph, model, plan, limits, outcome);
  if (options.least_of() != LeastOf::time || options.time != 0.0)
    throw InputError("--least and --time are for motions without a given path; give their end by --to");
  FastestTiming fastest(model, limits, options.points == 0 ? TimingOptions{} : TimingOptions{options.points});
  add_positions(options, model, plan);
  const TipPath followed = path_of(plan, model);
  if (!followed.path) {
    outcome.exit_code = refuse_tip_path(options, followed);
    return;
  }
  const Timing timing = fastest(*followed.path);
  if (!timing.possible()) {
    outcome.exit_code = refuse(options, &*followed.path, timing);
    return;
  }
  finish(options, graph, model, plan, limits, *followed.path, timing, nullptr);
}

}  // namespace

void add_plan(CLI::App& app, Outcome& outcome) {
  CLI::App* command =
      app.add_subcommand("plan", "the fastest motion along a path that the motors allow, or without one");
  command->footer(
      "From rest to rest, within the robot's limits of speed and effort, with its whole dynamics (doc/paths.md). Exit "
      "code\n"
      "1: the path cannot be followed at any speed, with the place and the reason. Without a path, --start and --to\n"
      "find the motion that takes least time, or least torque or energy in a given time.\n"
      "Example: ulna plan panda_like --through 0,0,0,-1.5,0,1.5,0 --through 1,0.3,0,-1,0.4,1.8,0 -o motion.csv");
  auto options = std::make_shared<PlanOptions>();
  options->add_to(*command);
  CLI::Option* path =
      command->add_option("--path", options->path, "a path file: moves in the joints and in space, and limits");
  path->type_name("FILE");
  command
      ->add_option("--through", options->through, "positions of a waypoint, or a posture of the file; give two or more")
      ->type_name("NUMBERS")
      ->check(not_empty("has no numbers"));
  command->add_option("--tip", options->tip, "straight in space: x,y,z[,qx,qy,qz,qw] of the tip; may be repeated")
      ->type_name("POSE")
      ->check(not_empty("has no numbers"));
  add_numbers_option(*command, "--start", options->start,
                     "of --tip and --to: positions, or a posture of the file, to start from");
  CLI::Option* to =
      add_numbers_option(*command, "--to", options->to, "where to go from --start without a given path; or a posture");
  command->add_option("--least", options->least, "of --to: what is to be least")
      ->check(one_of(costs))
      ->capture_default_str();
  add_positive(*command, "--time", options->time, "of --least torque and energy: what the motion takes", "S");
  command->add_option("--frame", options->frame, "of --tip and pictures: another link or frame")
      ->type_name("FRAME")
      ->check(not_empty("has no name behind it"));
  command->add_flag("--straight", options->straight, "straight in the joints, instead of a spline through all");
  command->add_option("--error", options->error, "of --straight: how far from its corners it may stay; 0: rest there")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  add_numbers_option(*command, "--velocity", options->velocity,
                     "limits instead of the robot's, of each joint or of all");
  add_numbers_option(*command, "--acceleration", options->acceleration,
                     "limits, of each joint or of all (default: none)");
  add_numbers_option(*command, "--effort", options->effort, "limits of torque instead of the robot's");
  add_numbers_option(*command, "--power", options->power, "limits in watts, of each joint or of all (default: none)");
  add_positive(*command, "--tip-speed", options->tip_speed, "limit of the speed of the tip (default: none)", "M/S");
  add_positive(*command, "--tip-force", options->tip_force,
               "limit of the force between the tip and what it carries (default: none)", "N");
  add_positive(*command, "--tip-mass", options->tip_mass,
               "of --tip-force: what it carries (default: --payload at the tip)", "KG");
  add_numbers_option(*command, "--jerk", options->jerk,
                     "limits of the acceleration's rate, of each joint or of all (default: none)");
  add_numbers_option(*command, "--torque-rate", options->torque_rate,
                     "limits in N m/s or N/s, of each joint or of all (default: none)");
  command
      ->add_option("--points", options->points,
                   "intervals of the path (default: 1000), or of time with --to (60, at most 2000)")
      ->check(CLI::Range(2, 1'000'000));
  add_positive(*command, "--every", options->every, "of -o: time between two rows", "S");
  add_output_option(*command, options->output, "t, q, v, a and torques as CSV, for `ulna id --motion` and playback",
                    "FILE");
  command
      ->add_option(
          "--report", options->report,
          "a page: the way, the speed along it, torques within their limits; and FILE_3d.html, the arm on its way")
      ->type_name("FILE.html");
  for (const char* other : {"--through", "--tip", "--start", "--to", "--frame", "--straight", "--error"})
    path->excludes(command->get_option(other));
  for (const char* other : {"--straight", "--error"}) to->excludes(command->get_option(other));
  command->callback([options, &outcome] { run(*options, outcome); });
}

}  // namespace ulna::app
