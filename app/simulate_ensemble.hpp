// `ulna simulate` with many runs instead of one.
#pragma once

#include "simulate_options.hpp"

namespace ulna::app {

/// The exit code.
int simulate_many(const SimulateOptions& options, const Scenario& scenario);
/// In a process that mpirun or its like started.
int simulate_over_ranks(const SimulateOptions& options);

}  // namespace ulna::app
