#include "papers/finished_run.hpp"

#include <fmt/format.h>

namespace ulna::reproduction {

std::vector<double> FinishedRun::column(const std::string& name) const {
  const std::size_t k = trajectory.column(name);
  std::vector<double> values(trajectory.size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = trajectory.row(i)[k];
  return values;
}

FinishedRun run_to_end(const Scenario& scenario) {
  const Model model = build(robot_of(scenario));
  const SimulationSetup setup = setup_of(scenario, model);
  Trajectory trajectory;
  RunResult result = simulate(model, setup, trajectory);
  return {std::move(trajectory), std::move(result)};
}

std::vector<Plot> plots_of(const std::vector<std::pair<std::string, const FinishedRun*>>& runs,
                           const std::vector<std::string>& columns) {
  std::vector<Plot> plots;
  plots.reserve(columns.size());
  for (const std::string& name : columns) {
    const Column& column = runs[0].second->trajectory.columns()[runs[0].second->trajectory.column(name)];
    Plot plot{fmt::format("{} ({})", name, column.label), "t, s", column.unit, {}};
    plot.curves.reserve(runs.size());
    for (const auto& [title, run] : runs) {
      // Those that come later are dashed, so that curves that coincide are both seen.
      plot.curves.push_back({runs.size() > 1 ? title : "", run->column("t"), run->column(name),
                             plot.curves.empty() ? Curve::Style::line : Curve::Style::dashed});
    }
    plots.push_back(std::move(plot));
  }
  return plots;
}

}  // namespace ulna::reproduction
