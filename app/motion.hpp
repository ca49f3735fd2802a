// A whole motion, row by row in constant memory.
#pragma once

#include <string>

#include "ulna/ulna.hpp"

namespace ulna::app {

struct MotionFiles {
  std::string input, output;
  bool json;
};

// Both read t, q…, v…, a… and return the exit code: 0, or 130 after Ctrl-C (143 after SIGTERM), when the rows done so
// far are in place. They throw InputError with file and line for a bad row.

/// Writes t, tau….
int inverse_dynamics_of_motion(const Model& model, Method<double>& method, Wrenches<double> external,
                               const MotionFiles& files);

/// Writes t and for each joint the moment and the force that the inner link transmits to the outer
/// one, at the joint, in world axes.
int joint_actions_of_motion(const Model& model, Wrenches<double> external, const MotionFiles& files);

}  // namespace ulna::app
