// An arm of seven joints whose hand is held to the ground: a loop closed by a joint of any kind.
#pragma once

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "ulna/io/robot/load.hpp"
#include "ulna/kinematics/kinematics.hpp"

namespace ulna {

/// For the names of tests' parameters.
inline std::ostream& operator<<(std::ostream& stream, const Graph& graph) { return stream << graph.name; }

}  // namespace ulna

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

/// A crank that drives a sleeve on a post through a rod: the rod hangs on the crank by a universal joint, the sleeve is
/// a cylindrical joint, a plate under the post a planar one, and a ball closes the loop. Closed at q = 0.
inline Graph crossed_crank() {
  const MassData mass{1.2, {0.1, 0.02, 0.05}, {0.02, 0.03, 0.025, 0.001, -0.002, 0.003}};
  const auto at = [](double x, double y, double z) {
    return Pose<double>{Mat3<double>::identity(), Vec3<double>{x, y, z}};
  };
  Graph graph{.name = "crossed_crank"};
  for (const char* name : {"crank", "rod", "plate", "sleeve"}) graph.bodies.push_back({.name = name, .mass = mass});
  graph.joints = {
      {.name = "motor", .parent = "base", .child = "crank", .axis = {0.2, 0.1, 1}},
      {.name = "cross",
       .kind = JointKind::universal,
       .parent = "crank",
       .child = "rod",
       .in_parent = {rotation_of_rpy({0.3, -0.4, 0.2}), {0.3, 0, 0}},
       .in_child = {rotation_of_rpy({0.3, -0.4, 0.2}), {0, 0, 0}}},
      {.name = "floor", .kind = JointKind::planar, .parent = "base", .child = "plate", .in_parent = at(0.9, 0.2, 0)},
      {.name = "post", .kind = JointKind::cylindrical, .parent = "plate", .child = "sleeve", .axis = {0.1, 0.3, 1}}};
  graph.loops = {{.name = "ball",
                  .kind = JointKind::spherical,
                  .parent = "rod",
                  .child = "sleeve",
                  .in_parent = at(0.5, 0.2, 0.3),
                  .in_child = at(-0.1, 0, 0.3)}};
  return graph;
}

}  // namespace ulna::test
