// What check() finds, with the tree that it walked.
#pragma once

#include "tree.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

struct Checked {
  std::vector<Finding> findings;
  Tree tree;  // empty where the joints form none
};
/// Of a graph as opened() gives it, with the tree that it walked; an empty one is walked here, and its faults are told.
Checked check_tree(const Graph& graph, Tree tree);

}  // namespace ulna
#pragma GCC visibility pop
