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

const JointInfo& joint_named(const Model& model, const std::string& name) {
  for (const JointInfo& joint : model.joints())
    if (joint.name == name) return joint;
  throw std::logic_error("build() lost joint '" + name + "'");
}

}  // namespace ulna::peers
