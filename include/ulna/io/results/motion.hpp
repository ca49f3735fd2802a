// Dynamics of a whole motion, from a CSV file to another, row by row in constant memory.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "ulna/control/linearise.hpp"
#include "ulna/dynamics/method.hpp"

namespace ulna {

struct MotionFiles {
  std::string input;   // t, q…, v…, a…; a header may name further columns (base/csv_reader.hpp)
  std::string output;  // appears whole
};

struct MotionProgress {
  std::uintmax_t rows;
  double share;  // of the file; 0 where that is unknown (a pipe)
};

struct MotionRecord {
  /// A joint that the motion takes outside its limits, and the line where it first does.
  struct Outside {
    std::string joint;
    long line;
    Limits limits;
  };
  std::uintmax_t rows = 0;
  bool complete = true;  // false: stopped by `proceed`; the rows before are in the file
  std::vector<Outside> outside{};
};

using MotionProceed = std::function<bool(const MotionProgress&)>;

// All throw InputError with file and line for a row that cannot be read or gives no finite result.

/// Writes t, tau….
MotionRecord inverse_dynamics_of_motion(const Model& model, Method<double>& method, Wrenches<double> external,
                                        const MotionFiles& files, const MotionProceed& proceed = {});

/// Writes t and for each joint the moment and the force that the inner link transmits to the outer one, at the joint,
/// in world axes: the formulation `homogeneous` gives them.
MotionRecord joint_actions_of_motion(const Model& model, Wrenches<double> external, const MotionFiles& files,
                                     const MotionProceed& proceed = {});

/// Writes t, then A and B row by row (A1_1, A1_2, …), at the torques that the motion asks for. For robots without
/// closed loops.
MotionRecord linearisation_of_motion(const Model& model, Lineariser& lineariser, const MotionFiles& files,
                                     const MotionProceed& proceed = {});

}  // namespace ulna
