// A payload: mass that a robot carries at one of its links or frames.
#pragma once

#include "ulna/model/graph.hpp"

namespace ulna {

struct Payload {
  std::string frame{};  // a link or frame of the robot; empty: its tip
  MassData mass{};      // in that frame; `inertia` is about the payload's own mass centre
};

/// Two bodies as one, both in the same frame.
MassData merged(const MassData& a, const MassData& b);

/// The name of the link or frame that `fk` calls the end effector: the robot's `tip`, or the last link of the moving
/// body that is farthest from the base. Throws InputError for a graph that is no tree.
std::string tip_of(const Graph& graph);

/// Fixes the payload to its link, whose mass data become those of both. Throws InputError for a frame that the robot
/// lacks and for mass data that are not finite or negative.
void add_payload(Graph& graph, const Payload& payload);

}  // namespace ulna
