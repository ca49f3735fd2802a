// ClosedModel: a robot with closed loops, as a tree and the joints that were cut to get it.
#pragma once

#include "ulna/model/build.hpp"

namespace ulna {

/// A cut joint. Where the loop is closed, frame b stands in frame a as the joint allows.
struct LoopJoint {
  std::string name;
  JointKind kind;
  Frame a, b;
  double pitch;
  Source source;
};

struct ClosedModel {
  Model tree;
  std::vector<LoopJoint> loops;

  int constraint_count() const;
};

/// The tree is made of the graph's joints after cut_loops(); the loops are those it cut and the graph's own. Throws
/// InputError for a loop on a missing body or one that joins a body to itself, beside everything that build() refuses.
ClosedModel build_closed(const Graph& graph);

}  // namespace ulna
