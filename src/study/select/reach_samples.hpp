// Points that the tip of an arm reaches, before its first joint moves: built from the tip inwards.
#pragma once

#include "ulna/study/select/arm.hpp"

#pragma GCC visibility push(hidden)
namespace ulna::selection {

struct ReachStatistics {
  std::size_t work = 0;  // points moved through a joint
  double thinned = 0.0;  // a reachable point is at most this far from one of the sample, beyond the steps
};

/// Calls `found` with points in the frame of the first body; each is reached, and neighbours along every
/// joint are at most `step` apart. Ends early when the work passes `most`.
ReachStatistics sample_reach(const Arm& arm, double step, std::size_t most, const KeepGoing& keep_going,
                             const std::function<void(const Vec3<double>&)>& found);

/// No point is farther from the first joint than this.
double greatest_reach(const Arm& arm);

}  // namespace ulna::selection
#pragma GCC visibility pop
