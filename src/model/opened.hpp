// The graph as build() and check() take it.
#pragma once

#include <optional>

#include "tree.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

/// A joint hangs on the ground "base", and it is not among the bodies.
bool lacks_base(const Graph& graph);

/// With its ground, and with loops of joints cut: the graph itself where it is so already, else one that `own` holds.
/// `tree` receives it walked where nothing was to be cut and nothing is wrong, else it is empty.
const Graph& opened(const Graph& graph, std::optional<Graph>& own, Tree& tree);

/// The body that no joint carries, of a graph with its ground. Throws InputError where there is not one.
const GraphBody& root_of(const Graph& graph);

}  // namespace ulna
#pragma GCC visibility pop
