#include "tree.hpp"

#include <fmt/format.h>

#include <unordered_map>

namespace ulna {

namespace {

using Names = std::unordered_map<std::string, int>;

class Walker {
 public:
  Walker(const Graph& graph, std::vector<Finding>& findings)
      : graph_(graph), findings_(findings), errors_before_(findings.size()) {}

  Tree walk() {
    index_bodies();
    connect_joints();
    if (findings_.size() > errors_before_) return {};
    const int root = find_root();
    if (findings_.size() > errors_before_) return {};
    Tree tree = from(root);
    report_unreached(tree);
    return findings_.size() > errors_before_ ? Tree{} : tree;
  }

 private:
  void error(const std::string& link, const Source& source, std::string reason, std::string remedy) {
    findings_.push_back({Finding::Severity::error, link, std::move(reason), std::move(remedy), source, false});
  }

  void index_bodies() {
    for (std::size_t i = 0; i < graph_.bodies.size(); ++i) {
      const GraphBody& body = graph_.bodies[i];
      if (!names_.emplace(body.name, static_cast<int>(i)).second)
        error(body.name, body.source, "two bodies have this name", "rename one");
    }
    if (graph_.bodies.empty()) error("", graph_.source, "the robot has no bodies", "add at least one link");
  }

  void connect_joints() {
    parent_joint_.assign(graph_.bodies.size(), -1);
    children_.resize(graph_.bodies.size());
    Names joint_names;
    for (std::size_t j = 0; j < graph_.joints.size(); ++j) {
      const GraphJoint& joint = graph_.joints[j];
      if (!joint_names.emplace(joint.name, static_cast<int>(j)).second)
        error(joint.name, joint.source, "two joints have this name", "rename one");
      const int parent = end_of(joint, joint.parent, "parent"), child = end_of(joint, joint.child, "child");
      if (parent < 0 || child < 0) continue;
      int& slot = parent_joint_[static_cast<std::size_t>(child)];
      if (slot >= 0) {
        error(joint.name, joint.source,
              fmt::format("link '{}' already hangs on joint '{}': the joints form a closed loop", joint.child,
                          graph_.joints[static_cast<std::size_t>(slot)].name),
              "leave it out, or cut it (cut_loops)");
        continue;
      }
      slot = static_cast<int>(j);
      children_[static_cast<std::size_t>(parent)].push_back(static_cast<int>(j));
    }
  }

  int end_of(const GraphJoint& joint, const std::string& body, const char* which) {
    const auto found = names_.find(body);
    if (found != names_.end()) return found->second;
    error(joint.name, joint.source, fmt::format("its {} link '{}' does not exist", which, body),
          "check the spelling or add the link");
    return -1;
  }

  int find_root() {
    int root = -1;
    for (std::size_t i = 0; i < graph_.bodies.size(); ++i) {
      if (parent_joint_[i] >= 0) continue;
      if (root < 0) {
        root = static_cast<int>(i);
      } else {
        error(graph_.bodies[i].name, graph_.bodies[i].source,
              fmt::format("the robot has two roots, this link and '{}'",
                          graph_.bodies[static_cast<std::size_t>(root)].name),
              "connect them with a joint (a fixed one will do)");
      }
    }
    if (root < 0)
      error("", graph_.source, "the joints form a cycle: every link hangs on another one",
            "leave out the joint that closes it");
    return root;
  }

  Tree from(int root) const {
    Tree tree;
    std::vector<Tree::Node> stack{{root, -1, -1}};
    while (!stack.empty()) {
      const Tree::Node node = stack.back();
      stack.pop_back();
      const int position = static_cast<int>(tree.nodes.size());
      tree.nodes.push_back(node);
      const auto& children = children_[static_cast<std::size_t>(node.body)];
      for (std::size_t k = children.size(); k-- > 0;) {
        const int j = children[k];
        stack.push_back({names_.at(graph_.joints[static_cast<std::size_t>(j)].child), j, position});
      }
    }
    return tree;
  }

  void report_unreached(const Tree& tree) {
    if (tree.nodes.size() == graph_.bodies.size()) return;
    std::vector<bool> reached(graph_.bodies.size(), false);
    for (const Tree::Node& node : tree.nodes) reached[static_cast<std::size_t>(node.body)] = true;
    for (std::size_t i = 0; i < reached.size(); ++i) {
      if (!reached[i])
        return error(graph_.bodies[i].name, graph_.bodies[i].source,
                     "cannot be reached from the root: its joints form a cycle", "leave out the joint that closes it");
    }
  }

  const Graph& graph_;
  std::vector<Finding>& findings_;
  std::size_t errors_before_;
  Names names_;
  std::vector<int> parent_joint_;
  std::vector<std::vector<int>> children_;
};

}  // namespace

Tree walk(const Graph& graph, std::vector<Finding>& findings) { return Walker(graph, findings).walk(); }

int farthest_body(const Graph& graph, const Tree& tree) {
  std::vector<int> joints(tree.nodes.size(), 0);  // that move, between a node and the ground
  int most = 0, farthest = tree.nodes.front().body;
  for (std::size_t n = 1; n < tree.nodes.size(); ++n) {
    const Tree::Node& node = tree.nodes[n];
    const bool moves = graph.joints[static_cast<std::size_t>(node.joint)].kind != JointKind::fixed;
    joints[n] = joints[static_cast<std::size_t>(node.parent)] + (moves ? 1 : 0);
    if (joints[n] < most) continue;
    most = joints[n];
    farthest = node.body;
  }
  return farthest;
}

}  // namespace ulna
