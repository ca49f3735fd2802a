// Operations of the formulations for one robot, side by side.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ulna/trace/printed_counts.hpp"

namespace ulna {

struct CountOptions {
  std::vector<Quantity> of{};
  std::string method = "auto";  // every formulation that gives the quantity
  bool regroup = false;         // inertial parameters are moved along the chain first
  /// Asked before each formulation; after false the rows made so far come back.
  std::function<bool()> proceed{};
};

struct CountRow {
  std::string robot, of, method;  // method "-": the quantity has one way of its own
  bool regrouped = false;
  trace::Counts counts{};
  bool cheapest = false;                         // of the formulations counted
  std::optional<trace::PrintedCount> printed{};  // where a paper prints it
  std::size_t bytes = 0;                         // of the graph of operations

  int multiplications() const { return counts.multiplications + counts.divisions; }
};

struct CountRecord {
  std::vector<CountRow> rows{};
  std::vector<std::string> notes{};  // what is too large to be traced
};

/// Throws InputError for a formulation that is not there or gives a quantity not for this robot, and for closed loops.
CountRecord count_operations(const Model& model, const CountOptions& options);

}  // namespace ulna
