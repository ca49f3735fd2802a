// `ulna select --vary` over very many arms: a design sweep in chunks, by one process or by all that mpirun started.
#pragma once

#include "select_options.hpp"

namespace ulna::app {

/// Whether these options are for a sweep in chunks: more arms than are compared in memory, or what only it has.
bool is_design_sweep(const SelectOptions& options, const selection::Selection& given);
int sweep_designs(const SelectOptions& options, selection::Selection given);
/// By all processes that mpirun started.
int sweep_designs_over_ranks(const SelectOptions& options);

}  // namespace ulna::app
