// From what a user wrote to what algorithms use.
#pragma once

#include "ulna/base/error.hpp"
#include "ulna/model/model.hpp"

namespace ulna {

/// Validates, merges fixed joints, orders the tree, turns body frames so that joint axes are z.
/// Throws InputError with all problems at once. A robot whose mass data no real body can have is
/// refused too, unless it says `allow_nonphysical` with a reason.
/// A robot with closed loops is refused: see loop/closed_model.hpp.
Model build(const Graph& graph);

/// Everything build() would refuse but numbers whose products overflow, and what is legal but suspicious.
std::vector<Finding> check(const Graph& graph);

/// Throws InputError with all errors that check() finds, but for those that the robot allows itself.
void refuse_errors(const Graph& graph);

}  // namespace ulna
