// What check() finds, with the tree that it walked.
#pragma once

#include "tree.hpp"

namespace ulna {

struct Checked {
  std::vector<Finding> findings;
  Tree tree;  // empty where the joints form none
};
Checked check_tree(const Graph& graph);

}  // namespace ulna
