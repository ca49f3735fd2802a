// What the command says of a whole motion.
#pragma once

#include "ulna/io/results/motion.hpp"

namespace ulna::app {

/// Shows progress, tells what came out and returns the exit code: 0, or 130 after Ctrl-C (143 after SIGTERM), when the
/// rows done so far are in place.
int tell_motion(const MotionFiles& files, bool json, const std::function<MotionRecord(const MotionProceed&)>& compute);

}  // namespace ulna::app
