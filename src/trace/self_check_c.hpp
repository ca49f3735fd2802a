// The self-check of generated code.
#pragma once

#include <string>

#include "ulna/trace/emit_c.hpp"

#pragma GCC visibility push(hidden)
namespace ulna::trace {

/// A main that runs every function at one state and compares with what the generic path gave.
std::string self_check_c(const CodeFile& file);

}  // namespace ulna::trace
#pragma GCC visibility pop
