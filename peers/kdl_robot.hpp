// Orocos KDL's model of a robot. KDL has fixed bases and revolute and prismatic joints; its solvers
// honour armature ("joint inertia") and ignore damping and stiffness.
#pragma once

#include "peers/peer.hpp"

namespace ulna::peers {

/// A KDL::Chain where no body carries two others, else a KDL::Tree.
Made make_kdl_robot(const Graph& graph, const Model& model);

}  // namespace ulna::peers
