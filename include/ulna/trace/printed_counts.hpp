// What the papers print for the operations of their algorithms, to stand beside what is counted.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ulna/trace/recording.hpp"

namespace ulna::trace {

struct PrintedCount {
  double multiplications, additions;  // divisions count as multiplications; eq. (16) gives half additions
  std::string where;
};

/// Of a bundled robot by its name where a table has it, else by the formula for n joints.
std::optional<PrintedCount> printed_count(const Model& model, Quantity quantity, std::string_view method);

}  // namespace ulna::trace
