// The graph walked from its root: which joint hangs each body on which, and in what order.
#pragma once

#include <vector>

#include "ulna/model/graph.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

/// Indices into the graph's bodies and joints.
struct Tree {
  struct Node {
    int body;
    int joint;   // −1 for the root
    int parent;  // position in `nodes`, −1 for the root
  };
  std::vector<Node> nodes;  // parents before children, siblings in file order
};

/// Adds a finding for everything that keeps the graph from being a tree with one root.
/// Without errors the tree holds every body; with errors it is empty.
Tree walk(const Graph& graph, std::vector<Finding>& findings);

/// The last body, in the order of the tree, that the most moving joints carry. The ground's bodies count where nothing
/// moves.
int farthest_body(const Graph& graph, const Tree& tree);

}  // namespace ulna
#pragma GCC visibility pop
