// Elastic joints: a spring and a damper between the motor and the link that it drives.
#pragma once

#include <map>

#include "ulna/model/graph.hpp"

namespace ulna {

struct Elasticity {
  double stiffness = 0.0;  // N·m/rad or N/m, positive
  double damping = 0.0;    // N·m·s/rad or N·s/m
};

/// Adds a joint of one degree as two: NAME_motor, which has its limits, friction, armature and zero, moves a link
/// without mass, NAME_rotor; NAME_spring, at rest at zero, joins that to the child. So q has the motor's position, seen
/// behind the gear, and the deflection; the link stands at their sum. Throws InputError for joints of several degrees,
/// joints with a spring already or that follow others, and for a stiffness that is not positive.
void add_elastic_joint(Graph& graph, GraphJoint joint, const Elasticity& elasticity);

/// A robot whose elastic joints are rigid, and what they were, by their names.
struct RigidRobot {
  Graph graph{};
  std::map<std::string, Elasticity> elasticity{};
};
/// Undoes add_elastic_joint(). A rotor with a mass stays: it is no part of what that adds. Postures go, which were of
/// motors and springs.
RigidRobot with_rigid_joints(Graph graph);

}  // namespace ulna
