// Operations of an algorithm for a robot, counted as the papers do: a division is a multiplication.
#pragma once

#include <string>

#include "ulna/model/model.hpp"
#include "ulna/trace/recording.hpp"

namespace ulna::reproduction {

struct TracedOperations {
  int multiplications = 0, additions = 0;

  int sum() const { return multiplications + additions; }
  /// "862 M, 797 A".
  std::string text() const;
};

TracedOperations traced_operations(const Model& model, Quantity quantity, const char* method);

}  // namespace ulna::reproduction
