// A robot of TOML that has been parsed.
#pragma once

#include "io/toml/toml_table.hpp"
#include "ulna/model/graph.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

/// `file` is what messages call it. Throws InputError.
Graph read_robot(const toml::table& root, const std::string& file);

}  // namespace ulna
#pragma GCC visibility pop
