// An arm of seven joints whose hand is held to the ground: a loop closed by a joint of any kind.
#pragma once

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "ulna/io/robot/load.hpp"
#include "ulna/kinematics/kinematics.hpp"

namespace ulna::test {

/// All that may be cut.
inline std::vector<JointKind> loop_kinds() {
  std::vector<JointKind> kinds;
  std::copy_if(joint_kinds.begin(), joint_kinds.end(), std::back_inserter(kinds), closes_loops);
  return kinds;
}

/// Closed at q = 0, where the arm stands bent in every joint.
inline Graph held_arm(JointKind kind) {
  Graph graph = load_graph("panda_like");
  graph.name = std::string("arm_held_by_a_") + name_of(kind) + "_joint";
  const double bends[] = {0.3, -0.6, 0.4, -1.2, 0.5, 1.0, 0.2};
  for (std::size_t k = 0; k < std::size(bends); ++k) graph.joints[k].offset += bends[k];
  const Model arm = build(graph);
  Kinematics<double> kinematics(arm);
  kinematics.update_positions(arm.neutral());
  const Pose<double> hand = kinematics.pose(*arm.find_frame("link7"));
  const Pose<double> joint{hand.R, hand * Vec3<double>{0.02, 0.05, 0.1}};
  graph.loops = {{"held", kind, graph.joints[0].parent, "link7", joint, inverse(hand) * joint, 0.2, {}}};
  return graph;
}

}  // namespace ulna::test
