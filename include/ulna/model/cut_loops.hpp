// Cuts the loops of a graph whose joints form some.
#pragma once

#include "ulna/model/graph.hpp"

namespace ulna {

/// The same robot with joints that form a tree; those that close a loop have become loops of the graph.
/// The last joint of a loop in the file is cut, but none with a spring, friction or armature as long as
/// another can be; where the tree then runs against a joint, that joint is turned round. A graph without
/// loops of joints stays as it is. Throws InputError for a loop that cannot be cut.
Graph cut_loops(Graph graph);

}  // namespace ulna
