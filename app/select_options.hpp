// The options of `ulna select`, and what they say.
#pragma once

#include <string>
#include <vector>

#include "ulna/study/select/selection.hpp"

namespace ulna::app {

struct SelectOptions {
  std::vector<std::string> robots, ranges, stiffness, vary, rules, payloads, require;
  std::string task, weights, pareto = "workspace,energy", criteria, output = "select";
  int steps = 5, threads = 0;
  double effort = 0.0;    // 0: the usual one of a sweep
  std::size_t chunk = 0;  // 0: chosen from the sweep
  bool resume = false, json = false;

  /// Throws InputError.
  selection::Selection selection() const;
};

}  // namespace ulna::app
