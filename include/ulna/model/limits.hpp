// What the limits of joints leave: whether a position is within them, and whether they leave any motion.
#pragma once

#include "ulna/model/model.hpp"

namespace ulna {

/// Joints of one degree of freedom; others have no limits.
inline bool is_outside_limits(const Model& model, const JointInfo& joint, std::span<const double> q) {
  if (!has_one_degree(joint.kind)) return false;
  const double at = q[static_cast<std::size_t>(model.bodies()[static_cast<std::size_t>(joint.body)].q_index)];
  return at < joint.limits.lower || at > joint.limits.upper;
}

/// Its limits leave it one position.
inline bool is_locked(const JointInfo& joint) {
  return has_one_degree(joint.kind) && joint.limits.lower == joint.limits.upper;
}

}  // namespace ulna
