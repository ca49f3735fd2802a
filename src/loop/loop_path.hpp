// The way of a loop down to the base: where its equations' columns of H Aᵀ are not zero.
#pragma once

#include <vector>

#include "ulna/model/model.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

struct LoopPath {
  std::vector<int> bodies;   // outermost first
  std::vector<int> degrees;  // their velocity indices, outermost first
};

LoopPath loop_path(const Model& tree, const LoopJoint& joint);

}  // namespace ulna
#pragma GCC visibility pop
