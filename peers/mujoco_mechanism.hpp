// MuJoCo's model of a mechanism: a connect for a spherical joint that closes a loop, a weld for a fixed one,
// connects at points of the axis for a hinge. Its constraints are soft; here as hard as it makes them. Its
// forward dynamics leaves J̇ v out of the loops' accelerations.
#pragma once

#include "peers/mechanism_peer.hpp"

namespace ulna::peers {

MadeMechanism make_mujoco_mechanism(const Graph& graph, const Model& tree, Hinge hinge);

}  // namespace ulna::peers
