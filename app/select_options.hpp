// The options of `ulna select`, and what they say.
#pragma once

#include <string>
#include <vector>

#include "ulna/study/select/selection.hpp"

namespace ulna::app {

struct SelectOptions {
  std::vector<std::string> robots, ranges, vary, payloads;
  std::string task, weights, pareto = "workspace,energy", output = "select";
  int steps = 5, threads = 0;
  bool json = false;

  /// Throws InputError.
  selection::Selection selection() const;
};

}  // namespace ulna::app
