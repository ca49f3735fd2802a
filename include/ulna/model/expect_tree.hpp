// The check at the door of every algorithm that knows trees alone.
#pragma once

#include "ulna/model/model.hpp"

namespace ulna {

[[noreturn, gnu::cold]] void refuse_loops(const Model& model);

/// Throws InputError for a robot with closed loops: loop/ is for those. Model::tree() is the robot with them open.
inline void expect_tree(const Model& model) {
  if (!model.loops().empty()) refuse_loops(model);
}

}  // namespace ulna
