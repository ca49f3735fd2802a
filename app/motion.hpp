// A whole motion, row by row in constant memory.
#pragma once

#include <string>

#include "ulna/ulna.hpp"

namespace ulna::app {

/// Reads t, q…, v…, a… and writes t, tau…. Returns the exit code: 0, or 130 after Ctrl-C, when the
/// rows done so far are in place. Throws InputError with file and line for a bad row.
int inverse_dynamics_of_motion(const Model& model, Method<double>& method, Wrenches<double> external,
                               const std::string& input, const std::string& output, bool json);

}  // namespace ulna::app
