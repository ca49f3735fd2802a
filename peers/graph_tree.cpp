#include "peers/graph_tree.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

namespace ulna::peers {

GraphTree::GraphTree(const Graph& graph) {
  std::set<std::string> children;
  for (const GraphBody& body : graph.bodies) {
    bodies_[body.name] = &body;
    joints_[body.name];
  }
  for (const GraphJoint& joint : graph.joints) {
    joints_.at(joint.parent).push_back(&joint);
    children.insert(joint.child);
  }
  for (const GraphBody& body : graph.bodies)
    if (!children.contains(body.name)) root_ = &body;
  if (root_ == nullptr) throw std::logic_error("the graph has no root; build() should have refused it");
}

bool GraphTree::is_serial() const {
  return std::all_of(joints_.begin(), joints_.end(), [](const auto& entry) { return entry.second.size() <= 1; });
}

namespace {

/// Rodrigues' formula for a unit axis.
Mat3<double> turn_about(const Vec3<double>& k, double angle) {
  const double s = std::sin(angle), c = std::cos(angle), d = 1.0 - c;
  return {c + d * k.x * k.x,       d * k.x * k.y - s * k.z, d * k.x * k.z + s * k.y,
          d * k.y * k.x + s * k.z, c + d * k.y * k.y,       d * k.y * k.z - s * k.x,
          d * k.z * k.x - s * k.y, d * k.z * k.y + s * k.x, c + d * k.z * k.z};
}

}  // namespace

Mat3<double> turn_to(const Vec3<double>& axis) {
  const Vec3<double> a = (1.0 / norm(axis)) * axis;
  const Mat3<double> over{1, 0, 0, 0, -1, 0, 0, 0, -1};  // half a turn about x
  if (a.z < 0.0) return over * turn_to(over * a);
  const Vec3<double> w = cross(Vec3<double>{0, 0, 1}, a);
  return norm(w) == 0.0 ? Mat3<double>::identity() : turn_about((1.0 / norm(w)) * w, std::atan2(norm(w), a.z));
}

Pose<double> zero_pose(const GraphJoint& joint) {
  Pose<double> offset = Pose<double>::identity();
  const double length = norm(joint.axis);
  if (is_hinge(joint.kind)) offset.R = turn_about((1.0 / length) * joint.axis, joint.offset);
  if (!turns(joint.kind) && degrees_of(joint.kind) == 1) offset.p = (joint.offset / length) * joint.axis;
  return joint.in_parent * offset * inverse(joint.in_child);
}

FramePlace place_of(const Graph& graph, const std::string& frame) {
  for (const GraphFrame& candidate : graph.frames)
    if (candidate.name == frame) return {candidate.body, candidate.pose};
  return {frame, Pose<double>::identity()};
}

namespace {

MassData together(const MassData& a, const MassData& b, const Pose<double>& pose_of_b) {
  RigidInertia<double> sum = RigidInertia<double>::from_centre(a.mass, a.com, a.inertia);
  sum += pose_of_b.to_outer(RigidInertia<double>::from_centre(b.mass, b.com, b.inertia));
  if (sum.mass == 0.0) return {};
  MassData out = a;
  out.mass = sum.mass;
  out.com = (1.0 / sum.mass) * sum.h;
  out.inertia = sum.about_centre(out.com);
  return out;
}

class Merger {
 public:
  explicit Merger(const Graph& graph) : graph_(graph), tree_(graph), merged_(graph) {
    merged_.bodies = {tree_.root()};
    merged_.joints.clear();
    merged_.frames.clear();
    take_joints(tree_.root().name, 0, Pose<double>::identity());
  }
  Graph take() { return std::move(merged_); }

 private:
  /// Of a body that stands at `pose` in the moving body `holder`.
  void take_joints(const std::string& body, std::size_t holder, const Pose<double>& pose) {
    const std::string name = merged_.bodies[holder].name;
    if (body != name) merged_.frames.push_back({body, name, pose});
    for (const GraphFrame& frame : graph_.frames)
      if (frame.body == body) merged_.frames.push_back({frame.name, name, pose * frame.pose});
    for (const GraphJoint* joint : tree_.joints_on(body)) {
      const GraphBody& child = tree_.body(joint->child);
      if (joint->kind == JointKind::fixed) {
        const Pose<double> there = pose * zero_pose(*joint);
        merged_.bodies[holder].mass = together(merged_.bodies[holder].mass, child.mass, there);
        take_joints(child.name, holder, there);
      } else {
        GraphJoint& taken = merged_.joints.emplace_back(*joint);
        taken.parent = name;
        taken.in_parent = pose * joint->in_parent;
        merged_.bodies.push_back(child);
        take_joints(child.name, merged_.bodies.size() - 1, Pose<double>::identity());
      }
    }
  }

  const Graph& graph_;
  GraphTree tree_;
  Graph merged_;
};

}  // namespace

Graph without_fixed_joints(const Graph& graph) { return Merger(graph).take(); }

const JointInfo& joint_named(const Model& model, const std::string& name) {
  for (const JointInfo& joint : model.joints())
    if (joint.name == name) return joint;
  throw std::logic_error("build() lost joint '" + name + "'");
}

}  // namespace ulna::peers
