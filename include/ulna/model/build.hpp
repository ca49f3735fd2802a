// From what a user wrote to what algorithms use.
#pragma once

#include "ulna/base/error.hpp"
#include "ulna/model/model.hpp"

namespace ulna {

/// Validates, merges fixed joints, orders the tree, turns body frames so that joint axes are z.
/// Throws InputError with all problems at once. A robot whose mass data no real body can have is
/// refused too, unless it says `allow_nonphysical` with a reason.
/// Loops of joints are cut (cut_loops.hpp); Model::loops() has those joints and the graph's own loops. A loop on a
/// missing body and one that joins a body to itself are refused.
Model build(const Graph& graph);

/// Everything build() would refuse of a tree but numbers whose products overflow, and what is legal but suspicious.
std::vector<Finding> check(const Graph& graph);

}  // namespace ulna
