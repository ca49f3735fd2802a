// The words for groups of a trajectory's columns.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "ulna/simulate/trajectory.hpp"

namespace ulna {

/// As select_columns() takes them, in the order of the columns.
std::vector<std::string_view> column_words(std::span<const Column> columns);

}  // namespace ulna
