#include <fmt/format.h>

#include "command.hpp"
#include "output.hpp"

namespace ulna::app {

namespace {

struct FdOptions : RobotOptions {
  std::string q, v, tau, method = "auto";
  std::vector<std::string> wrench;
};

void run(const FdOptions& options) {
  const Model model = build(options.graph());
  const auto method = make_method<double>(options.method, Quantity::forward_dynamics, model);
  const std::vector<double> q = positions(model, options.q), v = velocities(model, "--v", options.v),
                            tau = velocities(model, "--tau", options.tau);
  std::vector<double> a(v.size());
  method->forward_dynamics(q, v, tau, a, wrenches(model, options.wrench));
  expect_finite(a, "the acceleration");
  if (options.json) return print_json({{"a", a}});
  std::vector<std::vector<std::string>> rows{{"joint", "acceleration rad/s² or m/s²"}};
  std::size_t k = 0;
  for (const JointInfo& joint : model.joints()) {
    const int n = with_joint(joint.kind, [](auto kind) { return kind.nv; });
    for (int i = 0; i < n; ++i, ++k)
      rows.push_back({n == 1 ? joint.name : fmt::format("{}[{}]", joint.name, i + 1), fmt::format("{:.10g}", a[k])});
  }
  print_table(rows);
}

}  // namespace

void add_fd(CLI::App& app, Outcome&) {
  CLI::App* command = app.add_subcommand("fd", "forward dynamics: accelerations under given torques");
  command->footer("Example: ulna fd puma560 --q 0,-90deg,0,0,0,0 --tau 0,10,0,0,0,0");
  auto options = std::make_shared<FdOptions>();
  options->add_to(*command);
  add_numbers_option(*command, "--q", options->q, "positions; the zero position without it");
  add_numbers_option(*command, "--v", options->v, "velocities; zero without it");
  add_numbers_option(*command, "--tau", options->tau, "joint torques; zero without it");
  command->add_option("--wrench", options->wrench, "moment and force at a link's mass centre, world axes")
      ->type_name("LINK=nx,ny,nz,fx,fy,fz");
  add_method_option(*command, options->method);
  command->callback([options] { run(*options); });
}

}  // namespace ulna::app
