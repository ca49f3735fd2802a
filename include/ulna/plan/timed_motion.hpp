// A path with its timing as a motion: what the joints do at given times, and what that takes.
#pragma once

#include "ulna/plan/fastest_timing.hpp"
#include "ulna/simulate/reference_motion.hpp"

namespace ulna {

/// Rows of t, q, v, a and torques, each nv numbers but the first.
struct TimedMotion {
  std::size_t width = 0;  // of a row
  std::vector<double> rows{};

  std::size_t count() const { return width == 0 ? 0 : rows.size() / width; }
};

/// At every `every` seconds and at the end. Throws InputError for a timing that is impossible, and for more than ten
/// million rows.
TimedMotion timed_motion(const Model& model, const Path& path, const Timing& timing, double every);

/// For pictures: at the beginning, in the middle and at the end of the timing's intervals, whose accelerations jump
/// from one to the next; of more than two thousand intervals at some, as far from each other. Throws InputError for a
/// timing that is impossible.
TimedMotion motion_by_intervals(const Model& model, const Path& path, const Timing& timing);

/// By joint the largest speed, acceleration and torque, each without its sign, over the ends and the middle of every
/// interval of the timing: rows in steps of time miss what is short. Throws InputError for a timing that is impossible.
struct MotionPeaks {
  std::vector<double> velocity, acceleration, torque;
};
MotionPeaks motion_peaks(const Model& model, const Path& path, const Timing& timing);

/// The same as a motion to follow. Throws InputError for a timing that is impossible.
std::shared_ptr<const ReferenceMotion> make_reference(Path path, Timing timing);

}  // namespace ulna
