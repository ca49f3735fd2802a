#include "io/robot/graph_outward.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ulna {

GraphOutward::GraphOutward(const Graph& graph) {
  for (const GraphBody& body : graph.bodies) bodies_.emplace(body.name, &body);
  for (const GraphJoint& joint : graph.joints) {
    if (bodies_.count(joint.parent) == 0 || bodies_.count(joint.child) == 0)
      throw InputError(joint.source, fmt::format("joint '{}' is on a link that is not there", joint.name));
    if (!carriers_.emplace(joint.child, &joint).second)
      throw InputError(joint.source,
                       fmt::format("joint '{}' closes a loop as a joint of its own; write TOML", joint.name));
    joints_[joint.parent].push_back(&joint);
  }
  for (const GraphBody& body : graph.bodies) {
    if (carriers_.count(body.name) != 0) continue;
    if (root_ != nullptr)
      throw InputError(body.source, fmt::format("'{}' and '{}' are roots, and a file has one", root_->name, body.name));
    root_ = &body;
  }
  if (root_ == nullptr) throw InputError(graph.source, "no link is the root: the joints form a cycle");
}

const std::vector<const GraphJoint*>& GraphOutward::joints_on(const std::string& body) const {
  static const std::vector<const GraphJoint*> none;
  const auto found = joints_.find(body);
  return found == joints_.end() ? none : found->second;
}

const GraphJoint* GraphOutward::carrier(const std::string& body) const {
  const auto found = carriers_.find(body);
  return found == carriers_.end() ? nullptr : found->second;
}

}  // namespace ulna
