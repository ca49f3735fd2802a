// The checks at the doors of algorithms that know trees alone.
#pragma once

#include "ulna/model/model.hpp"

namespace ulna {

[[noreturn, gnu::cold]] void refuse_loops(const Model& model);

/// Throws InputError for a robot with closed loops: loop/ is for those. Model::tree() is the robot with them open.
inline void expect_tree(const Model& model) {
  if (!model.loops().empty()) refuse_loops(model);
}

[[noreturn, gnu::cold]] void refuse_coupled_joints(const Model& model);

/// Throws InputError for a robot in which joints follow others or share motors: for recursions that solve joint by
/// joint.
inline void expect_no_coupled_joints(const Model& model) {
  if (model.has_coupled_joints()) refuse_coupled_joints(model);
}

}  // namespace ulna
