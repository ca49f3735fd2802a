// A planned motion as a page of pictures.
#pragma once

#include "ulna/plan/timed_motion.hpp"

namespace ulna {

/// "12.3 (45 %)": a largest value and its part of a limit, if there is one.
std::string with_share(double peak, double limit);

/// The way of the frame, the speed along it and its limit, and what the joints do in parts of their limits.
std::string plan_page(const std::string& title, const Model& model, const Frame& frame, const TimingLimits& limits,
                      const Timing& timing, const TimedMotion& motion);

}  // namespace ulna
