// A run from its scenario to its record: what `ulna simulate` does for one run, without files and without a terminal.
#pragma once

#include <functional>
#include <memory>

#include "ulna/simulate/playback_growth.hpp"
#include "ulna/study/scenario.hpp"

namespace ulna {

/// A scenario with its robot read and built, ready to run.
struct PreparedRun {
  Scenario scenario;
  std::shared_ptr<const Graph> graph{};
  std::shared_ptr<const Model> model{};
  SimulationSetup setup{};
};

/// Throws InputError with the key that is wrong.
PreparedRun prepare(Scenario scenario);
/// For a robot that is in no file (robot_of).
PreparedRun prepare(Scenario scenario, const Graph& robot);

struct RunOptions {
  bool compiled = false;  // by the robot's own code, where there is a compiler
  /// Asked after each step; the run ends when it returns false.
  std::function<bool(const RunProgress&)> proceed{};
};

/// What a run was and how it ended; everything that is needed to repeat it.
struct Record {
  Scenario scenario;
  std::shared_ptr<const Graph> graph{};
  std::shared_ptr<const Model> model{};
  std::string method{};  // as resolved from `auto`, or "compiled"
  std::string note{};    // why the code is not the robot's own after all; else empty
  RunResult result;
  std::vector<Column> columns{};           // of its samples, wherever they went
  std::optional<PlaybackGrowth> growth{};  // of small deviations, where torques are played back
  Trajectory trajectory;                   // empty where the samples went to a recorder of the caller's
};

/// All samples in memory. Throws InputError for a scenario that cannot be run; what goes wrong on the way is in the
/// result.
Record run(const Scenario& scenario, const RunOptions& options = {});
/// Samples and steps go to the recorder.
Record run(const PreparedRun& prepared, Recorder& recorder, const RunOptions& options = {});

}  // namespace ulna
