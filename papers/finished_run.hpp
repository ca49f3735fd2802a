// A bundled scenario, run to its end.
#pragma once

#include "papers/chapter.hpp"
#include "ulna/study/scenario.hpp"

namespace ulna::reproduction {

struct FinishedRun {
  Trajectory trajectory;
  RunResult result;

  std::vector<double> column(const std::string& name) const;
};

/// Throws InputError; a run that does not reach its end is in its result.
FinishedRun run_to_end(const Scenario& scenario);

/// One picture per column, with a curve for each run; columns as in the trajectory.
std::vector<Plot> plots_of(const std::vector<std::pair<std::string, const FinishedRun*>>& runs,
                           const std::vector<std::string>& columns);

}  // namespace ulna::reproduction
