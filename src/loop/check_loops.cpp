#include "ulna/loop/check_loops.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ulna/base/error.hpp"
#include "ulna/loop/assembly.hpp"
#include "ulna/loop/mobility.hpp"

namespace ulna {

namespace {

void add_loop_findings(const Model& model, const Source& source, std::vector<Finding>& findings) {
  const Assembly closed = assemble(model, model.neutral());
  if (!closed.closed) {
    findings.push_back({Finding::Severity::warning, closed.worst_joint,
                        fmt::format("its loop does not close near the zero position: {}", closed.miss()),
                        "check lengths and poses, or start from another position", source, false});
    return;
  }
  LoopEquations equations(model);
  equations.update(closed.q);
  if (loop_mobility(equations, model.nv()).mobility() > 0) return;
  const LoopJoint& last = model.loops().back();
  findings.push_back({Finding::Severity::error, last.name,
                      "leaves no degree of freedom: this is a structure, and nothing in it can move",
                      "leave a loop out, or let it have a freer kind of joint", last.source, false});
}

}  // namespace

std::vector<Finding> check_with_loops(const Graph& graph) {
  std::vector<Finding> findings = check_with_dynamics(graph);
  const bool broken = std::any_of(findings.begin(), findings.end(),
                                  [](const Finding& f) { return f.severity == Finding::Severity::error; });
  if (broken) return findings;
  try {
    const Model model = build(graph);
    if (!model.loops().empty()) add_loop_findings(model, graph.source, findings);
  } catch (const InputError& e) {
    findings.insert(findings.end(), e.findings().begin(), e.findings().end());
  }
  return findings;
}

}  // namespace ulna
