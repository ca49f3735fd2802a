#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "mechanism.hpp"
#include "motion.hpp"
#include "ulna/control/lqr.hpp"

namespace ulna::app {

namespace {

struct LineariseOptions : RobotOptions {
  std::string q, v, tau, actuated, independent, motion, output;
  std::string position_weight = "1", velocity_weight = "0", torque_weight = "1";
  double period = 0.0;
  bool lqr = false;
};

/// One for each, or one for all.
std::vector<double> weights_of(const std::string& option, const std::string& text, std::size_t count) {
  const std::size_t given = words_of(text).size();
  const std::vector<double> x = numbers(option, text, given == 1 ? 1 : count);
  return given == 1 ? std::vector<double>(count, x[0]) : x;
}

LqrGains gains_of(const LineariseOptions& options, const LinearisedRobot& robot) {
  const std::size_t half = robot.independent.size();
  LqrWeights weights{weights_of("--position-weight", options.position_weight, half),
                     weights_of("--torque-weight", options.torque_weight, robot.actuated.size())};
  const std::vector<double> rates = weights_of("--velocity-weight", options.velocity_weight, half);
  weights.state.insert(weights.state.end(), rates.begin(), rates.end());
  return options.period > 0.0 ? sampled_lqr(robot, weights, options.period) : lqr(robot, weights);
}

std::vector<std::string> names_at(const Model& model, const std::vector<int>& indices) {
  const std::vector<std::string> all = degree_names(model);
  std::vector<std::string> names;
  names.reserve(indices.size());
  for (const int k : indices) names.push_back(all[static_cast<std::size_t>(k)]);
  return names;
}

Json json_of(const std::complex<double>& x) { return {x.real(), x.imag()}; }

Json modes_json(const std::vector<LinearMode>& list, const std::vector<std::string>& names) {
  Json rows = Json::array();
  for (const LinearMode& mode : list) {
    rows.push_back({{"eigenvalue", json_of(mode.eigenvalue)},
                    {"frequency", mode.frequency},
                    {"damping", mode.damping},
                    {"strongest", names[static_cast<std::size_t>(mode.strongest)]},
                    {"controllable", mode.controllable}});
  }
  return rows;
}

void add_gains(const LqrGains& gains, const LinearisedRobot& robot, Json& document) {
  Json part{{"found", gains.found()}};
  if (gains.found()) {
    part["K"] = to_json({gains.K.data(), robot.inputs, robot.states});
    part["P"] = to_json({gains.P.data(), robot.states, robot.states});
    part["poles"] = Json::array();
    for (const std::complex<double>& pole : gains.poles) part["poles"].push_back(json_of(pole));
  } else {
    part["reason"] = gains.reason;
  }
  document["lqr"] = part;
}

/// An eigenvalue that is there twice is known to half of the digits.
std::string eigenvalue_text(const std::complex<double>& x, double scale) {
  const double rounding = 1.5e-8 * scale;
  const double re = std::abs(x.real()) <= rounding ? 0.0 : x.real();
  if (std::abs(x.imag()) <= rounding) return short_number(re);
  return fmt::format("{} ± {}i", short_number(re), short_number(x.imag()));
}

void print_modes(const std::vector<LinearMode>& list, const std::vector<std::string>& names) {
  double scale = 0.0;
  for (const LinearMode& mode : list) scale = std::max(scale, mode.frequency);
  std::vector<std::vector<std::string>> rows{{"eigenvalue 1/s", "frequency Hz", "damping", "mostly", "controllable"}};
  for (const LinearMode& mode : list) {
    const bool still = mode.frequency <= 1.5e-8 * scale || mode.frequency == 0.0;
    const bool swings = std::abs(mode.eigenvalue.imag()) > 1.5e-8 * scale;
    rows.push_back({eigenvalue_text(mode.eigenvalue, scale),
                    swings ? short_number(mode.frequency / (2.0 * std::numbers::pi)) : "-",
                    still ? "-" : short_number(without_rounding(mode.damping, 1e3)),
                    names[static_cast<std::size_t>(mode.strongest)], mode.controllable ? "yes" : "no"});
  }
  print_table(rows);
}

void print_gains(const LineariseOptions& options, const LqrGains& gains, const LinearisedRobot& robot) {
  if (!gains.found()) return fmt::print("\nno gains: {}\n", gains.reason);
  print_matrix(
      options.period > 0.0 ? fmt::format("\nK of tau - K x, held for {} s", options.period) : "\nK of tau - K x",
      {gains.K.data(), robot.inputs, robot.states});
  double rate = std::numeric_limits<double>::infinity();
  for (const std::complex<double>& pole : gains.poles)
    rate = std::min(rate, options.period > 0.0 ? -std::log(std::abs(pole)) / options.period : -pole.real());
  fmt::print("\nwith it the slowest mode dies out in {} s\n", short_number(1.0 / rate));
}

int tell(const LineariseOptions& options, const Model& model, const LinearisedRobot& robot,
         const std::vector<double>& tau) {
  const std::vector<std::string> states = names_at(model, robot.independent), inputs = names_at(model, robot.actuated);
  const std::vector<LinearMode> list = modes(robot);
  const bool controllable = std::ranges::all_of(list, &LinearMode::controllable);
  LqrGains gains;
  if (options.lqr) gains = gains_of(options, robot);
  if (options.json) {
    Json document{
        {"states", states}, {"inputs", inputs}, {"A", to_json(robot.a_matrix())},    {"B", to_json(robot.b_matrix())},
        {"tau", tau},       {"a", robot.a},     {"modes", modes_json(list, states)}, {"controllable", controllable}};
    if (options.lqr) add_gains(gains, robot, document);
    print_json(document);
  } else {
    print_joint_values(model, "torque N m or force N", tau, torque_scale(model));
    fmt::print("\nx: change of {}, then of their rates\n\n", fmt::join(states, ", "));
    print_matrix("A", robot.a_matrix());
    print_matrix("\nB", robot.b_matrix());
    fmt::print("\n");
    print_modes(list, states);
    const bool moves = std::ranges::any_of(
        robot.a, [&](double x) { return without_rounding(x, std::max(1.0, 1e3 * norm(model.gravity()))) != 0.0; });
    if (moves)
      fmt::print("\nthe torques do not hold the robot here: the accelerations are not zero (--json has them)\n");
    fmt::print("\ncontrollable: {}\n", controllable ? "yes" : "no");
    if (options.lqr) print_gains(options, gains, robot);
  }
  return gains.found() ? 0 : 1;
}

int run_motion(const LineariseOptions& options, const Model& model, Lineariser& lineariser) {
  if (!model.loops().empty()) throw InputError("--motion is for robots without closed loops");
  if (options.output.empty()) throw InputError("--motion needs -o FILE for A and B");
  for (const std::string& input : {options.robot, options.motion}) expect_other_file(input, options.output);
  const MotionFiles files{options.motion, options.output};
  return tell_motion(files, options.json, [&](const MotionProceed& proceed) {
    return linearisation_of_motion(model, lineariser, files, proceed);
  });
}

void run(const LineariseOptions& options, Outcome& outcome) {
  constexpr int most_degrees = 200;  // eigenvalues and Riccati equations of more take minutes
  const Model model = build(options.graph());
  if (model.nv() > most_degrees)
    throw InputError(fmt::format("{} degrees of freedom are too many; {} are the most", model.nv(), most_degrees));
  if (!options.independent.empty() && model.loops().empty())
    throw InputError("--independent is for robots with closed loops; in a tree all joints are");
  const std::vector<int> independent = joint_indices(model, "--independent", options.independent);
  Lineariser lineariser(model, joint_indices(model, "--actuated", options.actuated), independent);
  if (!options.motion.empty()) {
    outcome.exit_code = run_motion(options, model, lineariser);
    return;
  }
  const std::vector<double> q = closed_position(model, options.q, independent);
  const std::vector<double> v = closed_velocities(model, q, options.v);
  const std::vector<double> tau = options.tau.empty() ? lineariser.torques(q, v) : torques(model, options.tau);
  const LinearisedRobot robot = lineariser(q, v, tau);
  expect_finite(robot.A, "A");
  outcome.exit_code = tell(options, model, robot, tau);
}

}  // namespace

void add_linearise(CLI::App& app, Outcome& outcome) {
  CLI::App* command =
      app.add_subcommand("linearise", "A and B near a state, natural frequencies, damping, feedback gains");
  command->footer(
      "x is the change of the positions, then of the velocities; its rate is A x + B u, u the change of the torques\n"
      "(doc/linearise.md). --lqr adds the gains K of u = -K x that cost least. Exit code 1: there are none.\n"
      "Example: ulna linearise planar2r --q 0.3,0.8 --lqr --velocity-weight 0.1");
  auto options = std::make_shared<LineariseOptions>();
  options->add_to(*command);
  add_numbers_option(*command, "--q", options->q, "positions, or the name of a posture (default: the zero position)");
  add_numbers_option(*command, "--v", options->v, "velocities (default: zero)");
  add_numbers_option(*command, "--tau", options->tau, "joint torques (default: those that keep the velocities)");
  command->add_option("--actuated", options->actuated, "the joints that have a motor (default: all but a free base)")
      ->type_name("JOINT,...")
      ->check(not_empty("has no names behind it"));
  command
      ->add_option("--independent", options->independent,
                   "closed loops: the joints whose change x is (default: the actuated ones, or the best)")
      ->type_name("JOINT,...")
      ->check(not_empty("has no names behind it"));
  CLI::Option* lqr = command->add_flag("--lqr", options->lqr, "the linear feedback that costs least");
  const auto weight = [&](const char* name, std::string& text, const char* help) {
    add_numbers_option(*command, name, text, help)->needs(lqr)->capture_default_str();
  };
  weight("--position-weight", options->position_weight, "of a squared change of position, one or one for each");
  weight("--velocity-weight", options->velocity_weight, "of a squared change of velocity");
  weight("--torque-weight", options->torque_weight, "of a squared change of torque");
  add_positive(*command, "--period", options->period, "the feedback is computed every so often and held between", "S")
      ->needs(lqr);
  CLI::Option* motion =
      command->add_option("--motion", options->motion, "CSV of t, q…, v…, a…: A and B along it")->type_name("FILE");
  for (const char* state : {"--q", "--v", "--tau", "--lqr"}) motion->excludes(command->get_option(state));
  add_output_option(*command, options->output, "CSV of t, A and B row by row", "FILE")->needs(motion);
  command->callback([options, &outcome] { run(*options, outcome); });
}

}  // namespace ulna::app
