#include <fmt/format.h>

#include "mechanism.hpp"

namespace ulna::app {

namespace {

struct FdOptions : RobotOptions {
  std::string q, v, tau, method = "auto";
  std::vector<std::string> wrench;
  bool compiled = false;
  int threads = 0;
};

void run_closed(const FdOptions& options, const Model& model) {
  if (options.compiled)
    throw InputError("of closed loops, --compiled is for runs (ulna simulate); one state has its reactions too");
  if (options.threads > 0) throw InputError("--threads is for robots without closed loops");
  const LoopMethod method = loop_method(options.method);
  const std::vector<double> q = closed_position(model, options.q), tau = torques(model, options.tau);
  ConstrainedDynamics dynamics(model);
  const std::vector<double> v = closed_velocities(model, q, options.v);
  const std::vector<Force<double>> external = wrenches(model, options.wrench);
  std::vector<double> a(v.size());
  dynamics.forward_dynamics(method, q, v, tau, a, external);
  expect_finite(a, "the acceleration");
  if (options.json) {
    return print_json({{"a", a},
                       {"joints", degree_names(model)},
                       {"q", q},
                       {"v", v},
                       {"reactions", reactions_json(model, dynamics)}});
  }
  print_joint_values(model, "acceleration rad/s² or m/s²", a, norm(model.gravity()));
  print_reactions(model, dynamics);
}

std::unique_ptr<Method<double>> method_of(const FdOptions& options, const Model& model) {
  if (options.compiled) return compiled_method(model, Quantity::forward_dynamics).method;
  if (options.threads > 0) return make_parallel_method(options.method, model, options.threads);
  return make_method<double>(options.method, Quantity::forward_dynamics, model);
}

void run(const FdOptions& options) {
  const Model model = build(options.graph());
  if (!model.loops().empty()) return run_closed(options, model);
  const auto method = method_of(options, model);
  const std::vector<double> q = positions(model, options.q), v = velocities(model, "--v", options.v),
                            tau = torques(model, options.tau);
  std::vector<double> a(v.size());
  method->forward_dynamics(q, v, tau, a, wrenches(model, options.wrench));
  expect_finite(a, "the acceleration");
  if (options.json) return print_json({{"a", a}, {"joints", degree_names(model)}});
  print_joint_values(model, "acceleration rad/s² or m/s²", a, norm(model.gravity()));
}

}  // namespace

void add_fd(CLI::App& app, Outcome&) {
  CLI::App* command = app.add_subcommand("fd", "forward dynamics: accelerations under given torques");
  command->footer("Example: ulna fd puma560 --q 0,-90deg,0,0,0,0 --tau 0,10,0,0,0,0");
  auto options = std::make_shared<FdOptions>();
  options->add_to(*command);
  add_numbers_option(*command, "--q", options->q, "positions, or the name of a posture (default: the zero position)");
  add_numbers_option(*command, "--v", options->v, "velocities (default: zero)");
  add_numbers_option(*command, "--tau", options->tau, "joint torques (default: zero)");
  command->add_option("--wrench", options->wrench, "moment and force at a link's mass centre, world axes")
      ->type_name("LINK=nx,ny,nz,fx,fy,fz")
      ->allow_extra_args(false);  // the next word may be the robot
  add_method_option(*command, options->method);
  add_compiled_option(*command, options->compiled);
  command->add_option("--threads", options->threads, "long chains: number of threads, used where that is faster")
      ->type_name("N")
      ->check(thread_number())
      ->excludes("--compiled");
  command->callback([options] { run(*options); });
}

}  // namespace ulna::app
