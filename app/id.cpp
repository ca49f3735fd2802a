#include <fmt/format.h>

#include <numeric>

#include "mechanism.hpp"
#include "motion.hpp"

namespace ulna::app {

namespace {

struct IdOptions : RobotOptions {
  std::string q, v, a, method = "auto", motion, output, actuated;
  std::vector<std::string> wrench;
  bool actions = false, compiled = false;
};

void one_state(const IdOptions& options, const Model& model, Method<double>& method) {
  const std::vector<double> q = positions(model, options.q), v = velocities(model, "--v", options.v),
                            a = velocities(model, "--a", options.a);
  std::vector<double> tau(v.size());
  method.inverse_dynamics(q, v, a, tau, wrenches(model, options.wrench));
  expect_finite(tau, "the torque");
  note_limits(model, q);
  if (options.json) return print_json({{"tau", tau}, {"joints", degree_names(model)}});
  print_joint_values(model, "torque N m or force N", tau, torque_scale(model));
}

void run_closed(const IdOptions& options, const Model& model) {
  if (!options.motion.empty())
    throw InputError("--motion is for robots without closed loops; `ulna loop` leads a mechanism through a range");
  if (options.method != "auto") throw InputError("--method is for robots without closed loops");
  if (options.compiled) throw InputError("--compiled is for robots without closed loops");
  const std::vector<int> driven = joint_indices(model, "--actuated", options.actuated);
  const std::vector<int> leading = leading_joints(model, options.q, driven);
  const std::vector<double> q = closed_position(model, options.q, leading);
  ConstrainedDynamics dynamics(model);
  LoopEquations equations(model);
  equations.update(q);
  expect_determined(model, equations, leading);
  const std::vector<double> still(static_cast<std::size_t>(equations.rows()), 0.0);
  const std::vector<double> v = closed_rates(model, equations, "--v", options.v, still, leading);
  equations.update_bias(v);
  const std::vector<double> a = closed_rates(model, equations, "--a", options.a, equations.b(), leading);
  std::vector<double> tau(v.size());
  std::vector<int> all(v.size());
  std::iota(all.begin(), all.end(), 0);
  dynamics.inverse_dynamics(q, v, a, driven.empty() ? all : driven, tau, wrenches(model, options.wrench));
  expect_finite(tau, "the torque");
  note_limits(model, q);
  if (options.json) {
    return print_json({{"tau", tau},
                       {"joints", degree_names(model)},
                       {"q", q},
                       {"v", v},
                       {"a", a},
                       {"reactions", reactions_json(model, dynamics)}});
  }
  print_joint_values(model, "torque N m or force N", tau, torque_scale(model));
  print_reactions(model, dynamics);
}

}  // namespace

void add_id(CLI::App& app, Outcome& outcome) {
  CLI::App* command = app.add_subcommand("id", "inverse dynamics: torques for a state or a whole motion");
  command->footer(
      "Example: ulna id puma560 --q 0,-90deg,0,0,0,0 --v 0.1,0,0,0,0,0\n"
      "A motion file has the columns t, q…, v…, a…; a header row is allowed, and may name further columns, so that\n"
      "the trajectory.csv of a simulation is one:\n"
      "  ulna id puma560 --motion motion.csv -o torques.csv");
  auto options = std::make_shared<IdOptions>();
  options->add_to(*command);
  add_numbers_option(*command, "--q", options->q, "positions, or the name of a posture (default: the zero position)");
  add_numbers_option(*command, "--v", options->v, "velocities (default: zero)");
  add_numbers_option(*command, "--a", options->a, "accelerations (default: zero)");
  command->add_option("--wrench", options->wrench, "moment and force at a link's mass centre, world axes")
      ->type_name("LINK=nx,ny,nz,fx,fy,fz")
      ->allow_extra_args(false);  // the next word may be the robot
  add_method_option(*command, options->method);
  command
      ->add_option("--actuated", options->actuated,
                   "closed loops: the joints that have a motor; the others follow (default: all have one, with the "
                   "smallest torques)")
      ->type_name("JOINT,...")
      ->check(not_empty("has no names behind it"));
  add_compiled_option(*command, options->compiled);
  CLI::Option* motion = command->add_option("--motion", options->motion, "CSV of t, q…, v…, a…")->type_name("FILE");
  for (const char* state : {"--q", "--v", "--a"}) motion->excludes(command->get_option(state));
  add_output_option(*command, options->output, "CSV of t, tau…", "FILE")->needs(motion);
  command->add_flag("--actions", options->actions,
                    "with --method homogeneous --motion: all six components of each joint's reaction");
  command->callback([options, &outcome] {
    const Model model = build(options->graph());
    if (!model.loops().empty()) return run_closed(*options, model);
    if (!options->actuated.empty())
      throw InputError("--actuated is for robots with closed loops; here every joint is driven");
    const auto method = options->compiled ? compiled_method(model, Quantity::inverse_dynamics).method
                                          : make_method<double>(options->method, Quantity::inverse_dynamics, model);
    if (options->actions && options->method != "homogeneous")
      throw InputError("--actions comes from the homogeneous matrices; add --method homogeneous");
    if (options->motion.empty() && options->actions)
      throw InputError("--actions writes a table: add --motion FILE -o FILE");
    if (options->motion.empty()) return one_state(*options, model, *method);
    if (options->output.empty()) throw InputError("--motion needs -o FILE for the torques");
    for (const std::string& input : {options->robot, options->motion}) expect_other_file(input, options->output);
    const std::vector<Force<double>> external = wrenches(model, options->wrench);
    const MotionFiles files{options->motion, options->output};
    outcome.exit_code = tell_motion(files, options->json, [&](const MotionProceed& proceed) {
      return options->actions ? joint_actions_of_motion(model, external, files, proceed)
                              : inverse_dynamics_of_motion(model, *method, external, files, proceed);
    });
  });
}

}  // namespace ulna::app
