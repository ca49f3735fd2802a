// A scenario from its parsed file.
#pragma once

#include "io/toml/toml_table.hpp"
#include "ulna/study/scenario.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

/// Throws InputError with all that is wrong.
Scenario read_scenario(const toml::table& root, const std::string& file);

}  // namespace ulna
#pragma GCC visibility pop
