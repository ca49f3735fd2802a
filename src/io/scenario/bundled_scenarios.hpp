// The scenarios that are compiled in; the definition is generated from scenarios/*.toml.
#pragma once

#include <span>

#include "io/robot/bundled.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

std::span<const BundledFile> bundled_scenario_files();

}  // namespace ulna
#pragma GCC visibility pop
