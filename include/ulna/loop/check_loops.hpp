// The whole of `check`: the tree, its dynamics, and whether the loops close and leave something that moves.
#pragma once

#include "ulna/dynamics/physical.hpp"

namespace ulna {

/// Everything of check_with_dynamics(), and what only the loops have to say once the tree stands.
std::vector<Finding> check_with_loops(const Graph& graph);

}  // namespace ulna
