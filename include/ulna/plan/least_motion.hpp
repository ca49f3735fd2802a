// From one posture to another without a given path: the motion that takes least time, or that costs least torque or
// energy in a given time, within limits and with the full dynamics. By direct optimisation: positions are splines on
// equal intervals of time, whose control points are the unknowns of an interior-point method with the exact derivatives
// of inverse dynamics (Singh, Russell and Wensing 2022).
//
// Accelerations are constant in each interval. Limits of position and velocity hold always, those of acceleration too;
// those of torque, power and tip speed at both ends of each interval, and between them but for second order of its
// length. What is found is a local optimum: none of the motions near it is better.
#pragma once

#include <optional>

#include "ulna/plan/fastest_timing.hpp"
#include "ulna/real/vector_view.hpp"

namespace ulna {

enum class LeastOf {
  time,
  torque,  // ∫ Σ τ² dt
  energy,  // ∫ Σ max(τ v, 0) dt: what the motors give, nothing of it fed back
};

struct LeastMotionOptions {
  static constexpr int most_intervals = 2000;  // which take up to a minute

  LeastOf least = LeastOf::time;
  double duration = 0.0;  // s, which torque and energy need; least time finds its own
  int intervals = 60;     // of equal time, up to most_intervals
};

/// A motion is a path and its timing, as that of a given path is; on one that was found here the length s is the time.
struct LeastMotion {
  std::optional<Path> path{};
  Timing timing{};                           // where there is no path: the reason
  double torque_square = 0.0, energy = 0.0;  // of the motion, as LeastOf has them
  double straight = 0.0;  // s that the straight way takes at its fastest; infinite: impossible; 0: nothing limits it

  bool possible() const { return path.has_value(); }
};

/// From rest to rest. Never slower than the fastest motion straight in the joints. Throws InputError for robots with
/// closed loops or quaternions in q, for positions that are not within their limits or the same, for limits as
/// FastestTiming does, and where a duration is missing or superfluous.
LeastMotion least_motion(const Model& model, VectorIn<double> from, VectorIn<double> to, TimingLimits limits,
                         const LeastMotionOptions& options = {});

}  // namespace ulna
