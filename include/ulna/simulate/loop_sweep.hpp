// A mechanism driven through a range: positions, velocities, accelerations, torques and reactions at
// each step, and the singular positions on the way.
#pragma once

#include <functional>

#include "ulna/simulate/simulation.hpp"

namespace ulna {

/// A joint with one degree of freedom that is led from one position to another at constant speed.
struct DrivenJoint {
  int v_index;
  double from, to;
};

struct SweepSetup {
  std::vector<DrivenJoint> driven;  // as many as the mechanism has freedoms
  std::vector<double> start;        // near the closed position to begin with; empty: the neutral one
  int steps = 360;
  double time = 1.0;  // for the whole range, s
};

struct SweepResult {
  bool complete = false;
  std::string reason;            // why it ended
  long rows = 0;                 // written; singular positions are left out
  std::vector<RunEvent> events;  // singular positions with what is free there, limits passed
  double largest_residual = 0.0;
};

/// Writes rows of sweep_columns(); tau is that of the driven joints, `singularity` is Determination::measure. Throws
/// InputError when the driven joints do not determine the motion or the loops do not close at the start.
SweepResult sweep_loops(const Model& model, const SweepSetup& setup, Recorder& recorder,
                        const std::function<bool(double part)>& proceed = {});

}  // namespace ulna
