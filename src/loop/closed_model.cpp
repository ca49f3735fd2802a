#include "ulna/loop/closed_model.hpp"

#include <fmt/format.h>

#include "ulna/loop/cut_loops.hpp"

namespace ulna {

int ClosedModel::constraint_count() const {
  int sum = 0;
  for (const LoopJoint& loop : loops) sum += ulna::constraint_count(loop.kind);
  return sum;
}

namespace {

/// The joint's frame on one of its two links; nothing and a finding where there is no such link.
const Frame* link_of(const Model& tree, const GraphLoop& loop, const std::string& link,
                     std::vector<Finding>& findings) {
  const Frame* frame = tree.find_frame(link);
  if (frame == nullptr) {
    findings.push_back({Finding::Severity::error, loop.name,
                        fmt::format("closes a loop on '{}', which does not exist", link), "name a link of the robot",
                        loop.source, false});
  }
  return frame;
}

}  // namespace

ClosedModel build_closed(const Graph& graph) {
  Graph open = cut_loops(graph);
  if (!open.loops.empty()) refuse_errors(open);
  const std::vector<GraphLoop> loops = std::move(open.loops);
  open.loops.clear();
  ClosedModel closed{build(open), {}};
  std::vector<Finding> findings;
  for (const GraphLoop& loop : loops) {
    const Frame* a = link_of(closed.tree, loop, loop.parent, findings);
    const Frame* b = link_of(closed.tree, loop, loop.child, findings);
    if (a == nullptr || b == nullptr) continue;
    if (a->body == b->body) {
      findings.push_back({Finding::Severity::error, loop.name,
                          fmt::format("joins '{}' and '{}', which are one rigid body", loop.parent, loop.child),
                          "a loop joint joins two bodies that move against each other", loop.source, false});
      continue;
    }
    closed.loops.push_back({loop.name,
                            loop.kind,
                            {loop.name, a->body, a->pose * loop.in_parent},
                            {loop.name, b->body, b->pose * loop.in_child},
                            loop.pitch,
                            loop.source});
  }
  if (!findings.empty()) throw InputError(std::move(findings));
  return closed;
}

}  // namespace ulna
