// The graph from its root outwards, worked out without Ulna's own walk: a fault there must show.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ulna/model/model.hpp"

namespace ulna::peers {

class GraphTree {
 public:
  /// The graph must be one that build() accepts.
  explicit GraphTree(const Graph& graph);

  const GraphBody& root() const { return *root_; }
  const GraphBody& body(const std::string& name) const { return *bodies_.at(name); }
  /// The joints that hang on a body, in the order of the file.
  const std::vector<const GraphJoint*>& joints_on(const std::string& body) const { return joints_.at(body); }
  bool is_serial() const;

 private:
  const GraphBody* root_ = nullptr;
  std::map<std::string, const GraphBody*> bodies_;
  std::map<std::string, std::vector<const GraphJoint*>> joints_;
};

/// The turn that takes z to the axis: the shortest one, after half a turn about x where the axis points down.
Mat3<double> turn_to(const Vec3<double>& axis);

/// The child body in its parent at q = 0. For a spherical or fixed joint: at no rotation.
Pose<double> zero_pose(const GraphJoint& joint);

/// Where a frame of this name is: on which body, and where there.
struct FramePlace {
  std::string body;
  Pose<double> pose;
};
FramePlace place_of(const Graph& graph, const std::string& frame);

/// The same tree of moving bodies alone: what hangs on fixed joints is part of the body that carries it, its links are
/// frames there. For races, in which all engines are to have the same tree.
Graph without_fixed_joints(const Graph& graph);

/// The model's joint of this name.
const JointInfo& joint_named(const Model& model, const std::string& name);

}  // namespace ulna::peers
