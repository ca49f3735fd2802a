// One bar that turns about its end, without gravity: what has closed forms.
#pragma once

#include <limits>

#include "ulna/model/build.hpp"
#include "ulna/plan/fastest_timing.hpp"

namespace ulna {

constexpr double bar_inertia = 1.0 / 3.0;

inline Graph bar_graph(double coulomb = 0.0, double viscous = 0.0) {
  Graph graph;
  graph.name = "bar";
  graph.gravity = Vec3<double>::zero();
  GraphJoint joint;
  joint.name = joint.child = "bar";
  joint.parent = "base";
  joint.kind = JointKind::revolute;
  joint.axis = {0, 0, 1};
  joint.passive.coulomb = coulomb;
  joint.passive.viscous = viscous;
  graph.bodies.push_back({"bar", {1.0, {0.5, 0, 0}, {1.0 / 12, 1.0 / 12, 1.0 / 12, 0, 0, 0}}, {}, {}});
  graph.joints.push_back(joint);
  return graph;
}
inline Model bar(double coulomb = 0.0, double viscous = 0.0) { return build(bar_graph(coulomb, viscous)); }

inline TimingLimits no_limits(int n) {
  const std::vector<double> none(static_cast<std::size_t>(n), std::numeric_limits<double>::infinity());
  return {none, none, none};
}

}  // namespace ulna
