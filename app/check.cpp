#include <fmt/format.h>

#include "command.hpp"
#include "output.hpp"
#include "ulna/loop/check_loops.hpp"

namespace ulna::app {

void add_check(CLI::App& app, Outcome& outcome) {
  CLI::App* command = app.add_subcommand("check", "is the robot physical? every finding with its reason and remedy");
  command->footer("Exit 0 without errors, 1 with errors.\nExample: ulna check puma560_printed");
  auto options = std::make_shared<RobotOptions>();
  options->add_to(*command);
  command->callback([options, &outcome] {
    const Graph graph = options->graph();
    const std::vector<Finding> findings = check_with_loops(graph);
    int errors = 0;
    Json list = Json::array();
    for (const Finding& f : findings) {
      const bool error = f.severity == Finding::Severity::error;
      errors += error ? 1 : 0;
      list.push_back({{"severity", error ? "error" : "warning"},
                      {"link", f.link},
                      {"reason", f.reason},
                      {"remedy", f.remedy},
                      {"file", f.source.file},
                      {"line", f.source.line}});
      if (!options->json) fmt::print("{}\n", to_line(f));
    }
    if (options->json) {
      print_json({{"findings", list}});
    } else if (findings.empty()) {
      fmt::print("{}: nothing to complain about\n", options->robot);
    } else {
      fmt::print("{}: {} error{}, {} warning{}\n", options->robot, errors, errors == 1 ? "" : "s",
                 findings.size() - static_cast<std::size_t>(errors),
                 findings.size() - static_cast<std::size_t>(errors) == 1 ? "" : "s");
    }
    outcome.exit_code = errors > 0 ? 1 : 0;
  });
}

}  // namespace ulna::app
