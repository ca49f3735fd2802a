#include <fmt/format.h>

#include <algorithm>

#include "command.hpp"
#include "output.hpp"
#include "ulna/dynamics/physical.hpp"

namespace ulna::app {

namespace {

/// What only the loops have to say, once the tree stands.
void add_loop_findings(const Graph& graph, std::vector<Finding>& findings) {
  const bool broken = std::any_of(findings.begin(), findings.end(),
                                  [](const Finding& f) { return f.severity == Finding::Severity::error; });
  if (broken) return;
  try {
    const Model model = build(graph);
    if (model.loops().empty()) return;
    const Assembly closed = assemble(model, model.neutral());
    if (!closed.closed) {
      findings.push_back({Finding::Severity::warning, closed.worst_joint,
                          fmt::format("its loop does not close near the zero position: {}", closed.miss()),
                          "check lengths and poses, or start from another position", graph.source, false});
    }
    if (closed.closed) {
      LoopEquations equations(model);
      equations.update(closed.q);
      if (loop_mobility(equations, model.nv()).mobility() == 0) {
        findings.push_back({Finding::Severity::error, model.loops().back().name,
                            "leaves no degree of freedom: this is a structure, and nothing in it can move",
                            "leave a loop out, or let it have a freer kind of joint", model.loops().back().source,
                            false});
      }
    }
  } catch (const InputError& e) {
    findings.insert(findings.end(), e.findings().begin(), e.findings().end());
  }
}

}  // namespace

void add_check(CLI::App& app, Outcome& outcome) {
  CLI::App* command = app.add_subcommand("check", "is the robot physical? every finding with its reason and remedy");
  command->footer("Exit 0 without errors, 1 with errors.\nExample: ulna check puma560_printed");
  auto options = std::make_shared<RobotOptions>();
  options->add_to(*command);
  command->callback([options, &outcome] {
    const Graph graph = options->graph();
    std::vector<Finding> findings = check_with_dynamics(graph);
    add_loop_findings(graph, findings);
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
