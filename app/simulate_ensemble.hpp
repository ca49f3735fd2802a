// `ulna simulate` with many runs instead of one.
#pragma once

#include "simulate_options.hpp"

namespace ulna::app {

/// The exit code.
int simulate_many(const SimulateOptions& options, const Scenario& scenario);

}  // namespace ulna::app
