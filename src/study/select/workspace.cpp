#include "ulna/study/select/workspace.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "reach_samples.hpp"
#include "sweep_grid.hpp"

namespace ulna::selection {

namespace {

struct Pass {
  WorkspaceSize workspace;
  SweepGrid grid;
  std::size_t work = 0;
};

Pass measure(const Arm& arm, double reach, int cells, std::size_t most, const KeepGoing& keep_going) {
  SweepGrid grid(arm, reach, cells);
  const double step = 0.5 * grid.cell();  // a cell whose middle is reached has a point then
  const ReachStatistics statistics =
      sample_reach(arm, step, most, keep_going, [&](const Vec3<double>& p) { grid.mark(p); });
  grid.sweep(step);
  const double outer = grid.outer(), inner = grid.inner();
  WorkspaceSize workspace;
  workspace.size = 0.5 * (outer + inner);
  // A layer as thick as the sample may be thin, beside the half layer of cells.
  workspace.error = (outer - inner) * (0.5 + statistics.thinned / grid.cell()) + grid.rounding();
  workspace.cell = grid.cell();
  return {workspace, std::move(grid), statistics.work};
}

}  // namespace

WorkspaceSize find_workspace(const Arm& arm, const WorkspaceOptions& options, const KeepGoing& keep_going) {
  if (has_pitch(arm.model.bodies()[0].kind)) {
    throw InputError(
        fmt::format("'{}' begins with a screw joint; select measures workspaces of arms whose first joint "
                    "turns or slides",
                    arm.name));
  }
  const double reach = greatest_reach(arm);
  const int finest = arm.dimension() == 2 ? 4096 : 512;
  int cells = arm.dimension() == 2 ? 256 : 32;
  constexpr int coarsest = 8;
  Pass pass = measure(arm, reach, cells, options.budget, keep_going);
  while (pass.work > options.budget && cells > coarsest) {  // it ended before all points were found
    cells /= 2;
    const bool last = cells == coarsest;
    pass = measure(arm, reach, cells, last ? std::numeric_limits<std::size_t>::max() : options.budget, keep_going);
  }
  while (cells < finest) {
    // Half the edge: twice the steps in every joint, until the cubes of the sample limit it.
    const double growth = std::pow(2.0, std::min(static_cast<double>(arm.ranges.size()) - 1.0, arm.dimension() + 1.0));
    if (static_cast<double>(pass.work) * growth > static_cast<double>(options.budget)) break;
    if (pass.grid.bins() << static_cast<unsigned>(arm.dimension()) > options.bins) break;
    cells *= 2;
    Pass finer = measure(arm, reach, cells, options.budget, keep_going);
    if (finer.work > options.budget) break;
    pass = std::move(finer);
  }
  if (options.holes) {
    const SweepGrid::Holes holes = pass.grid.holes();
    pass.workspace.holes = holes.count;
    pass.workspace.hole_size = holes.size;
  }
  return pass.workspace;
}

}  // namespace ulna::selection
