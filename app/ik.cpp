#include <fmt/format.h>

#include <array>
#include <cmath>

#include "command.hpp"
#include "io/results/ik_page.hpp"
#include "model/number_uses.hpp"
#include "output.hpp"
#include "ulna/base/atomic_file.hpp"
#include "ulna/loop/loop_ik.hpp"
#include "ulna/spatial/quaternion.hpp"

namespace ulna::app {

namespace {

struct IkCommand : RobotOptions {
  std::string frame, position, rpy, quaternion, along, weights, start, report, prefer = "any";
  std::vector<std::string> also;
  double position_tolerance = 1e-6, orientation_tolerance = 1e-6;
  int samples = 24;
  bool all = false;
};

const std::vector<std::string> preferences{"any", "near", "middle", "manipulability", "gravity"};

IkPreference preference_of(const std::string& word) {
  constexpr std::array kinds{IkPreference::any, IkPreference::near, IkPreference::middle, IkPreference::manipulability,
                             IkPreference::gravity};
  return kinds[static_cast<std::size_t>(std::ranges::find(preferences, word) - preferences.begin())];
}

Vec3<double> vector_of(const std::string& option, const std::string& text, NumberUse::Kind kind) {
  const std::vector<double> x = numbers(option, text, std::vector<NumberUse>(3, NumberUse{kind}));
  return {x[0], x[1], x[2]};
}

void set_weights(const std::string& text, IkTarget& target) {
  const std::vector<double> w = numbers("--weights", text, 6);
  target.position = {w[0], w[1], w[2]};
  target.orientation = {w[3], w[4], w[5]};
}

/// Of --position, --rpy, --quaternion and --along.
IkTarget main_target(const IkCommand& options, const Model& model) {
  const Frame& frame = frame_named(model, "--frame", options.frame);
  const bool turned = !options.rpy.empty() || !options.quaternion.empty();
  const Vec3<double> p = vector_of("--position", options.position, NumberUse::Kind::length);
  IkTarget target = position_target(frame, p);
  if (!options.along.empty()) {
    const Vec3<double> direction = vector_of("--along", options.along, NumberUse::Kind::plain);
    if (!(norm(direction) > 0.0)) throw InputError("--along: 0,0,0 is no direction");
    target = direction_target(frame, {0, 0, 1}, direction, p);
  } else if (turned) {
    Mat3<double> R = rotation_of_rpy(vector_of("--rpy", options.rpy, NumberUse::Kind::angle));
    if (!options.quaternion.empty()) {
      const std::vector<double> x = numbers("--quaternion", options.quaternion, 4);
      R = given_rotation("--quaternion", std::span(x).first<4>());
    }
    target = pose_target(frame, {R, p});
  }
  if (options.position.empty()) {
    if (!turned && options.along.empty())
      throw InputError("nothing to reach; give --position, --rpy, --quaternion or --along");
    target.position = Vec3<double>::zero();
  }
  if (!options.weights.empty()) set_weights(options.weights, target);
  return target;
}

/// FRAME=x,y,z or FRAME=x,y,z,qx,qy,qz,qw.
IkTarget other_target(const std::string& text, const Model& model) {
  const std::size_t sign = text.find('=');
  if (sign == std::string::npos) throw InputError(fmt::format("--also {}: give FRAME=x,y,z[,qx,qy,qz,qw]", text));
  const Frame& frame = frame_named(model, "--also", text.substr(0, sign));
  const auto [position, orientation] = given_pose("--also " + text, text.substr(sign + 1));
  return orientation ? pose_target(frame, {*orientation, position}) : position_target(frame, position);
}

/// `all`: all postures were asked for, and there is no other.
void print_solution(const Model& model, const IkSolution& solution, bool all, bool json) {
  if (json) {
    Json document{{"solved", solution.solved},
                  {"q", solution.q},
                  {"position_error", solution.position_error},
                  {"orientation_error", solution.orientation_error},
                  {"starts", solution.starts}};
    if (!solution.solved) document["reason"] = solution.reason;
    if (all) document["postures"] = solution.solved ? Json{solution.q} : Json::array();
    return print_json(document);
  }
  std::vector<std::vector<std::string>> rows{{"joint", "q"}};
  const std::vector<NumberUse> uses = position_uses(model);
  for (std::size_t k = 0; k < uses.size(); ++k)
    rows.push_back({uses[k].joint, fmt::format("{:.10g}", without_rounding(solution.q[k], 1.0))});
  print_table(rows);
  if (solution.solved) return;
  fmt::print("\nnot reached; this is the nearest that was found: off by {} m and {} rad\nreason: {}\n",
             short_number(solution.position_error), short_number(solution.orientation_error), solution.reason);
}

void print_postures(const Model& model, const InverseKinematics::Postures& postures, bool json) {
  if (json) {
    return print_json({{"postures", postures.q},
                       {"family", postures.family},
                       {"closed_form", postures.closed_form},
                       {"spare", postures.spare},
                       {"cut", postures.cut}});
  }
  const bool families = !postures.family.empty() && postures.family.back() + 1 < std::ssize(postures.family);
  std::vector<std::vector<std::string>> rows{{families ? "family" : "posture"}};
  for (const NumberUse& use : position_uses(model)) rows[0].push_back(use.joint);
  for (std::size_t k = 0; k < postures.q.size(); ++k) {
    rows.push_back({std::to_string(postures.family[k] + 1)});
    for (const double x : postures.q[k]) rows.back().push_back(fmt::format("{:.6f}", without_rounding(x, 1.0)));
  }
  print_table(rows);
  fmt::print("\n{}\n", words_for_postures(postures));
}

template <class Found>
void write_report(const IkCommand& options, const Model& model, std::span<const IkTarget> targets, const Found& found) {
  if (options.report.empty()) return;
  write_file(options.report, ik_page(fmt::format("{}: inverse kinematics", model.name()), model, targets, found));
  if (!options.json) fmt::print("pictures in {}\n", options.report);
}

InverseKinematics::Postures all_postures(const Model& model, const std::vector<IkTarget>& targets,
                                         const IkOptions& tolerances, int samples) {
  std::vector<Pose<double>> poses;
  poses.reserve(targets.size());
  for (const IkTarget& target : targets) poses.push_back(target.pose);
  return InverseKinematics(model, targets, tolerances).all(poses, samples);
}

void run(const IkCommand& options, Outcome& outcome) {
  if (!options.report.empty()) expect_other_file(options.robot, options.report);
  const Model model = build(options.graph());
  std::vector<IkTarget> targets{main_target(options, model)};
  for (const std::string& text : options.also) targets.push_back(other_target(text, model));
  std::vector<double> start;
  if (!options.start.empty()) start = positions(model, options.start, "--start");
  const IkOptions tolerances{.position_tolerance = options.position_tolerance,
                             .orientation_tolerance = options.orientation_tolerance};
  if (options.all && !model.loops().empty())
    throw InputError("--all is for robots without closed loops; `ulna loop` finds the ways to assemble one");
  if (options.all) {
    const InverseKinematics::Postures postures = all_postures(model, targets, tolerances, options.samples);
    if (!postures.q.empty()) {
      print_postures(model, postures, options.json);
      return write_report(options, model, targets, postures);
    }
  }
  const bool has_loops = !model.loops().empty();
  const IkSolution solution =
      (has_loops ? solve_loop_ik : solve_ik)(model, targets, start, preference_of(options.prefer), tolerances);
  outcome.exit_code = solution.solved ? 0 : 1;
  print_solution(model, solution, options.all, options.json);
  write_report(options, model, targets, solution);
}

}  // namespace

void add_ik(CLI::App& app, Outcome& outcome) {
  CLI::App* command = app.add_subcommand("ik", "positions of the joints that bring a frame where it is wanted");
  command->footer(
      "Without an orientation only the position counts; without --position only the orientation. Joint limits are "
      "kept.\n"
      "Closed loops are closed. A pose out of reach gives the nearest that was found, with the reason, and exit code 1 "
      "(doc/inverse_kinematics.md).\n"
      "Example: ulna ik puma560 --position 0.4,0.2,0.3 --rpy 0,90deg,0 --all");
  auto options = std::make_shared<IkCommand>();
  options->add_to(*command);
  command->add_option("--frame", options->frame, "link or frame that is to get there (default: the tip)")
      ->type_name("FRAME")
      ->check(not_empty("has no name behind it"));
  add_numbers_option(*command, "--position", options->position, "x,y,z in the world, m");
  CLI::Option* rpy = add_numbers_option(*command, "--rpy", options->rpy, "roll, pitch, yaw as in URDF");
  CLI::Option* quaternion = add_numbers_option(*command, "--quaternion", options->quaternion, "x, y, z, w");
  add_numbers_option(*command, "--along", options->along, "the direction in the world that the frame's z points to")
      ->excludes(rpy)
      ->excludes(quaternion);
  quaternion->excludes(rpy);
  add_numbers_option(*command, "--weights", options->weights,
                     "of x, y, z in the world, then of turns about the target's x, y, z; 0: free");
  command->add_option("--also", options->also, "one more frame, FRAME=x,y,z[,qx,qy,qz,qw]; may be repeated")
      ->type_name("TARGET");
  CLI::Option* start = add_numbers_option(*command, "--start", options->start,
                                          "positions to start from, and to be near to, or a posture of the file");
  CLI::Option* prefer = command->add_option("--prefer", options->prefer, "which of the positions that reach it")
                            ->check(one_of(preferences))
                            ->capture_default_str();
  CLI::Option* all =
      command->add_flag("--all", options->all, "all postures; of an arm with a joint to spare families of them")
          ->excludes(prefer)
          ->excludes(start);
  command->add_option("--samples", options->samples, "of --all: of each family, or of more than one joint to spare")
      ->needs(all)
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  command
      ->add_option("--report", options->report,
                   "a page: the arm in each posture, its joints and limits; of families what changes along them")
      ->type_name("FILE.html");
  add_positive(*command, "--position-tolerance", options->position_tolerance, "how near is reached", "M");
  add_positive(*command, "--orientation-tolerance", options->orientation_tolerance, "how near is reached", "RAD");
  command->callback([options, &outcome] { run(*options, outcome); });
}

}  // namespace ulna::app
