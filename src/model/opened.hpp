// The graph as build() and check() take it.
#pragma once

#include <optional>

#include "ulna/model/graph.hpp"

namespace ulna {

/// A joint hangs on the ground "base", and it is not among the bodies.
bool lacks_base(const Graph& graph);

/// With its ground, and with loops of joints cut: the graph itself where it is so already, else one that `own` holds.
const Graph& opened(const Graph& graph, std::optional<Graph>& own);

}  // namespace ulna
