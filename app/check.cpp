#include <fmt/format.h>

#include <algorithm>

#include "base/text_file.hpp"
#include "command.hpp"
#include "output.hpp"
#include "ulna/base/atomic_file.hpp"
#include "ulna/base/nearest_word.hpp"
#include "ulna/io/robot/complete.hpp"
#include "ulna/io/robot/format.hpp"
#include "ulna/loop/check_loops.hpp"
#include "ulna/model/mend.hpp"

namespace ulna::app {

namespace {

struct CheckOptions : RobotOptions {
  bool fix = false;
  double total_mass = 0.0;
  std::string output;
};

/// What was done to the robot, a line each.
std::vector<std::string> corrected(Graph& graph, const CheckOptions& options) {
  std::vector<std::string> done;
  if (options.fix) done = mend(graph);
  if (options.total_mass > 0.0) {
    const Completion completion = complete_masses(graph, options.total_mass);
    done.push_back(fmt::format("guessed mass data of {} link{} ({}), filled with {:.4g} kg/m³",
                               completion.completed.size(), completion.completed.size() == 1 ? "" : "s",
                               some_of(completion.completed), completion.density));
    if (!completion.shapeless.empty())
      done.push_back(fmt::format("left without mass, as no shape tells it: {}", some_of(completion.shapeless)));
  }
  return done;
}

void write_corrected(const Graph& graph, const std::string& output) {
  const RobotFormat* format = robot_format_of_path(output);
  if (format == nullptr)
    throw InputError(fmt::format("-o {}: a robot goes to a file that ends in .toml, .urdf, .xml or .sdf", output));
  std::vector<std::string> notices;
  write_file(output, format->forms.front().write(graph, {}, notices));
  for (const std::string& notice : notices) fmt::print(stderr, "note: {}\n", notice);
}

Json json_of_findings(const std::vector<Finding>& findings) {
  Json list = Json::array();
  for (const Finding& f : findings) {
    list.push_back({{"severity", f.severity == Finding::Severity::error ? "error" : "warning"},
                    {"link", f.link},
                    {"reason", f.reason},
                    {"remedy", f.remedy},
                    {"file", f.source.file},
                    {"line", f.source.line}});
  }
  return list;
}

void print_findings(const std::vector<Finding>& findings, long errors, const std::string& robot) {
  for (const Finding& f : findings) fmt::print("{}\n", to_line(f));
  const long warnings = std::ssize(findings) - errors;
  if (findings.empty())
    fmt::print("{}: nothing to complain about\n", robot);
  else
    fmt::print("{}: {} error{}, {} warning{}\n", robot, errors, errors == 1 ? "" : "s", warnings,
               warnings == 1 ? "" : "s");
}

void run_check(const CheckOptions& options, Outcome& outcome) {
  const bool corrects = options.fix || options.total_mass > 0.0;
  if (corrects && options.output.empty())
    throw InputError("--fix and --complete write a corrected robot; say where by -o FILE");
  if (!corrects && !options.output.empty()) throw InputError("-o is for a corrected robot; add --fix or --complete KG");
  const bool changes =
      options.free_base || !options.gravity.empty() || !options.payloads.empty() || options.friction_speed > 0.0;
  if (corrects && changes) {
    throw InputError(
        "--fix and --complete write the robot itself; leave out --free-base, --gravity, --payload and "
        "--friction-speed");
  }
  if (corrects) expect_other_file(options.robot, options.output);
  Graph graph = options.graph();
  print_unreadable_meshes(graph, options.robot);
  const std::vector<std::string> done = corrected(graph, options);
  const std::vector<Finding> findings = check_with_loops(graph);
  const long errors = std::count_if(findings.begin(), findings.end(),
                                    [](const Finding& f) { return f.severity == Finding::Severity::error; });
  if (corrects) write_corrected(graph, options.output);
  if (options.json) {
    Json json{{"findings", json_of_findings(findings)}};
    if (corrects) json["corrections"] = done;
    print_json(json);
  } else {
    for (const std::string& line : done) fmt::print("corrected: {}\n", line);
    if (corrects)
      fmt::print("{} in {}\n", done.empty() ? "nothing to correct; the robot is" : "the robot is", options.output);
    print_findings(findings, errors, options.robot);
  }
  outcome.exit_code = errors > 0 ? 1 : 0;
}

}  // namespace

void add_check(CLI::App& app, Outcome& outcome) {
  CLI::App* command = app.add_subcommand("check", "is the robot physical? every finding with its reason and remedy");
  command->footer(
      "Exit 0 without errors, 1 with errors; with --fix or --complete, those that are left.\n"
      "Examples: ulna check puma560_printed\n"
      "          ulna check ur5e --fix -o ur5e.toml");
  auto options = std::make_shared<CheckOptions>();
  options->add_to(*command);
  command->add_flag("--fix", options->fix,
                    "correct likely grams, centimetres, millimetres, kg mm² and the like, degrees, inertias about the "
                    "links' origins, "
                    "left-handed axes; says what and why, and leaves what several units fit");
  add_positive(*command, "--complete", options->total_mass,
               "guess missing masses and inertias from shapes and meshes, such that the robot weighs this", "KG");
  add_output_option(*command, options->output, "file for the corrected robot, .toml, .urdf, .xml (MJCF) or .sdf",
                    "FILE");
  command->callback([options, &outcome] { run_check(*options, outcome); });
}

}  // namespace ulna::app
