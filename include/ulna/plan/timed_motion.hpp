// A path with its timing as a motion: what the joints do at given times, and what that takes.
#pragma once

#include "ulna/plan/fastest_timing.hpp"
#include "ulna/simulate/reference_motion.hpp"

namespace ulna {

/// Rows of t, q, v, a and torques, each nv numbers but the first, at every `every` seconds and at the end.
struct TimedMotion {
  std::size_t width = 0;  // of a row
  std::vector<double> rows{};
  /// By joint, over the rows: the largest speed, acceleration and torque, each without its sign.
  std::vector<double> peak_velocity, peak_acceleration, peak_torque;

  std::size_t count() const { return width == 0 ? 0 : rows.size() / width; }
};

/// Throws InputError for a timing that is impossible, and for more than ten million rows.
TimedMotion timed_motion(const Model& model, const Path& path, const Timing& timing, double every);

/// The same as a motion to follow. Throws InputError for a timing that is impossible.
std::shared_ptr<const ReferenceMotion> make_reference(Path path, Timing timing);

}  // namespace ulna
