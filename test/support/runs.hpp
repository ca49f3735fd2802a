// A run in memory, with its end.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "ulna/simulate/simulation.hpp"

namespace ulna::test {

struct FinishedRun {
  Trajectory trajectory;
  RunResult result;

  std::size_t last() const { return trajectory.size() - 1; }
  std::vector<double> column(const std::string& name) const {
    std::vector<double> values;
    const std::size_t k = trajectory.column(name);
    for (std::size_t i = 0; i < trajectory.size(); ++i) values.push_back(trajectory.row(i)[k]);
    return values;
  }
};

inline FinishedRun finish(const Model& model, const SimulationSetup& setup,
                          const std::function<bool(const RunProgress&)>& proceed = {}) {
  Trajectory trajectory;
  RunResult result = simulate(model, setup, trajectory, proceed);
  return {std::move(trajectory), std::move(result)};
}

inline double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return INFINITY;
  double worst = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) worst = std::max(worst, std::abs(a[k] - b[k]));
  return worst;
}

/// The steps that fixed-step methods need for a smooth motion of a few seconds.
inline void choose_step(SimulationSetup& setup) {
  if (integrator_info(setup.integrator).needs_step)
    setup.accuracy.fixed_step = setup.integrator == "rk4" ? 0.001 : 0.01;
}

}  // namespace ulna::test
