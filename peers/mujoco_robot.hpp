// MuJoCo's model of a robot: fixed or free base, trees, revolute, prismatic and spherical joints,
// armature, viscous friction and springs. Its Coulomb friction is a soft constraint, not a force.
#pragma once

#include "peers/peer.hpp"

namespace ulna::peers {

Made make_mujoco_robot(const Graph& graph, const Model& model);

}  // namespace ulna::peers
