// The options of `ulna select`, and the arms they name.
#pragma once

#include <string>
#include <vector>

#include "ulna/study/select/sweep.hpp"

namespace ulna::app {

struct SelectOptions {
  std::vector<std::string> robots, ranges, vary, payloads;
  std::string task, weights, pareto = "workspace,energy", output = "select";
  int steps = 5, threads = 0;
  bool json = false;

  /// Throws InputError, as all of these.
  selection::Weights weight_list() const;
  std::pair<std::string, std::string> pareto_keys() const;
  std::vector<selection::SweptNumber> swept() const;
};

/// One per robot, or one per variant of the sweep.
std::vector<selection::Arm> arms_of(const SelectOptions& options, const selection::Task& task,
                                    const std::vector<selection::SweptNumber>& swept,
                                    const std::vector<selection::Variant>& variants);

}  // namespace ulna::app
