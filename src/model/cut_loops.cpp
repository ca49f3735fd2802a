#include "ulna/model/cut_loops.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "axis_frame.hpp"
#include "opened.hpp"
#include "ulna/base/error.hpp"

namespace ulna {

namespace {

/// Whether something is lost where the joint is cut.
bool acts(const Graph& graph, const GraphJoint& joint) {
  const Passive& p = joint.passive;
  const auto follows = [&](const GraphJoint& other) { return other.mimic && other.mimic->joint == joint.name; };
  const auto drives = [&](const GraphCoupling& coupling) {
    return std::find(coupling.joints.begin(), coupling.joints.end(), joint.name) != coupling.joints.end();
  };
  if (std::any_of(graph.couplings.begin(), graph.couplings.end(), drives)) return true;
  if (joint.mimic || std::any_of(graph.joints.begin(), graph.joints.end(), follows)) return true;
  return p.viscous != 0.0 || p.coulomb != 0.0 || p.stiffness != 0.0 || p.armature != 0.0;
}

/// The same joint seen from its child.
GraphJoint turned_round(GraphJoint joint) {
  std::swap(joint.parent, joint.child);
  std::swap(joint.in_parent, joint.in_child);
  joint.axis = -joint.axis;
  const Pose<double> turn{with_any_joint(joint.kind, [](auto kind) { return kind.turned_round(); }),
                          Vec3<double>::zero()};
  joint.in_parent = joint.in_parent * turn;
  joint.in_child = joint.in_child * turn;
  return joint;
}

class Cutter {
 public:
  explicit Cutter(const Graph& graph) : graph_(graph), group_(graph.bodies.size()) {
    for (std::size_t i = 0; i < graph.bodies.size(); ++i) index_.emplace(graph.bodies[i].name, i);
    std::iota(group_.begin(), group_.end(), std::size_t{0});
  }

  Graph cut() {
    Graph result = graph_;
    result.joints.clear();
    std::vector<bool> kept(graph_.joints.size(), false);
    for (const bool acting : {true, false}) {
      for (std::size_t j = 0; j < kept.size(); ++j)
        if (acts(graph_, graph_.joints[j]) == acting) kept[j] = join(graph_.joints[j]);
    }
    for (std::size_t j = 0; j < kept.size(); ++j) {
      if (kept[j]) continue;
      const GraphJoint& joint = graph_.joints[j];
      result.loops.push_back(loop_of(joint));
      if (std::isfinite(joint.limits.lower) || std::isfinite(joint.limits.upper))
        result.notices.push_back(fmt::format("joint '{}' closes a loop; its limits are not watched", joint.name));
    }
    if (!findings_.empty()) throw InputError(std::move(findings_));
    const std::vector<std::size_t> depth = depths(kept);
    for (std::size_t j = 0; j < kept.size(); ++j) {
      const GraphJoint& joint = graph_.joints[j];
      if (!kept[j]) continue;
      const bool against = depth[index_.at(joint.child)] < depth[index_.at(joint.parent)];
      result.joints.push_back(against ? turned_round(joint) : joint);
    }
    return result;
  }

  /// Also false where links are missing: build() has the words for that.
  bool has_loop_of_joints() {
    bool loop = false;
    for (const GraphJoint& joint : graph_.joints) {
      if (!index_.contains(joint.parent) || !index_.contains(joint.child)) return false;
      loop = !join(joint) || loop;
    }
    std::iota(group_.begin(), group_.end(), std::size_t{0});
    return loop;
  }

 private:
  std::size_t group_of(std::size_t body) {
    while (group_[body] != body) body = group_[body] = group_[group_[body]];
    return body;
  }

  /// False when the two links hang together already.
  bool join(const GraphJoint& joint) {
    const std::size_t a = group_of(index_.at(joint.parent)), b = group_of(index_.at(joint.child));
    group_[b] = a;
    return a != b;
  }

  GraphLoop loop_of(const GraphJoint& joint) {
    const bool closes = closes_loops(joint.kind);
    if (!closes || acts(graph_, joint)) {
      findings_.push_back({Finding::Severity::error, joint.name,
                           closes ? "closes a loop, as all joints of this loop do, with friction, a spring, armature, "
                                    "motors that it shares or a joint to follow"
                                  : "is free and closes a loop, which it cannot",
                           closes ? "one joint of a loop is cut and must have none of them" : "leave it out",
                           joint.source, false});
      return {};
    }
    const double length = norm(joint.axis);
    const bool on_axis = has_axis(joint.kind);
    if (on_axis && !(length > 1e-12)) {
      findings_.push_back({Finding::Severity::error, joint.name, "its axis has no direction",
                           "give a unit vector such as [0, 0, 1]", joint.source, false});
      return {};
    }
    const Pose<double> to_axis{on_axis ? rotation_to((1.0 / length) * joint.axis) : Mat3<double>::identity(),
                               Vec3<double>::zero()};
    return {joint.name,  joint.kind,  joint.parent, joint.child, joint.in_parent * to_axis, joint.in_child * to_axis,
            joint.pitch, joint.source};
  }

  /// How far each link is from the root: the first link that hangs on no joint or, where all hang in a
  /// ring, the first joint's parent.
  std::vector<std::size_t> depths(const std::vector<bool>& kept) const {
    std::vector<bool> hangs(graph_.bodies.size(), false);
    for (const GraphJoint& joint : graph_.joints) hangs[index_.at(joint.child)] = true;
    const auto free = std::find(hangs.begin(), hangs.end(), false);
    const std::size_t root =
        free != hangs.end() ? static_cast<std::size_t>(free - hangs.begin()) : index_.at(graph_.joints[0].parent);
    std::vector<std::vector<std::size_t>> neighbours(graph_.bodies.size());
    for (std::size_t j = 0; j < kept.size(); ++j) {
      if (!kept[j]) continue;
      const std::size_t a = index_.at(graph_.joints[j].parent), b = index_.at(graph_.joints[j].child);
      neighbours[a].push_back(b);
      neighbours[b].push_back(a);
    }
    std::vector<std::size_t> depth(graph_.bodies.size(), graph_.bodies.size()), queue{root};
    depth[root] = 0;
    for (std::size_t i = 0; i < queue.size(); ++i) {
      for (const std::size_t next : neighbours[queue[i]]) {
        if (depth[next] < graph_.bodies.size()) continue;
        depth[next] = depth[queue[i]] + 1;
        queue.push_back(next);
      }
    }
    return depth;
  }

  const Graph& graph_;
  std::unordered_map<std::string, std::size_t> index_;
  std::vector<std::size_t> group_;
  std::vector<Finding> findings_;
};

}  // namespace

Graph cut_loops(Graph graph) {
  Cutter cutter(graph);
  return cutter.has_loop_of_joints() ? cutter.cut() : std::move(graph);
}

const Graph& opened(const Graph& graph, std::optional<Graph>& own, Tree& tree) {
  if (lacks_base(graph)) {
    own = graph;
    add_base(*own);
  }
  const Graph& whole = own ? *own : graph;
  std::vector<Finding> findings;
  tree = walk(whole, findings);
  if (findings.empty()) return whole;
  if (Cutter cutter(whole); cutter.has_loop_of_joints()) own = cutter.cut();
  return own ? *own : graph;
}

const GraphBody& root_of(const Graph& graph) {
  std::optional<Graph> own;
  Tree tree;
  const Graph& open = opened(graph, own, tree);
  std::vector<Finding> findings;
  if (tree.nodes.empty()) tree = walk(open, findings);
  if (!findings.empty()) throw InputError(std::move(findings));
  return graph.bodies[static_cast<std::size_t>(tree.nodes.front().body)];  // cutting leaves the bodies as they are
}

}  // namespace ulna
