// Robots whose motion is known in closed form.
#pragma once

#include "ulna/model/build.hpp"

namespace ulna::test {

/// A rod of 1 m and 1 kg on a hinge about z, hanging along −y at q = −π/2 like planar2r's first link.
inline Graph pendulum() {
  Graph graph;
  graph.name = "pendulum";
  graph.gravity = {0, -9.81, 0};
  graph.bodies.push_back({"base", {}, {}, {}});
  graph.bodies.push_back({"rod", {1.0, {0.5, 0, 0}, {0, 1.0 / 12, 1.0 / 12, 0, 0, 0}}, {}, {}});
  GraphJoint hinge;
  hinge.name = "hinge";
  hinge.parent = "base";
  hinge.child = "rod";
  graph.joints.push_back(hinge);
  return graph;
}

/// A mass on a frictionless rail along x, without gravity: a = tau/mass.
inline Graph slider(double mass) {
  Graph graph;
  graph.name = "slider";
  graph.gravity = {0, 0, 0};
  graph.bodies.push_back({"base", {}, {}, {}});
  graph.bodies.push_back({"cart", {mass, {0, 0, 0}, {1, 1, 1, 0, 0, 0}}, {}, {}});
  GraphJoint rail;
  rail.name = "rail";
  rail.kind = JointKind::prismatic;
  rail.parent = "base";
  rail.child = "cart";
  rail.axis = {1, 0, 0};
  graph.joints.push_back(rail);
  return graph;
}

/// A ball that floats without gravity, its mass centre away from its frame.
inline Graph floating_ball(double mass, double inertia, const Vec3<double>& com) {
  Graph graph;
  graph.name = "ball";
  graph.gravity = {0, 0, 0};
  graph.bodies.push_back({"base", {}, {}, {}});
  graph.bodies.push_back({"ball", {mass, com, {inertia, inertia, inertia, 0, 0, 0}}, {}, {}});
  GraphJoint joint;
  joint.name = "float";
  joint.kind = JointKind::free;
  joint.parent = "base";
  joint.child = "ball";
  graph.joints.push_back(joint);
  return graph;
}

}  // namespace ulna::test
