// A mechanism with closed loops that is led through a range, from its robot to its record: what `ulna loop` does,
// without files and without a terminal.
#pragma once

#include <functional>
#include <memory>

#include "ulna/base/number.hpp"
#include "ulna/model/build.hpp"
#include "ulna/simulate/loop_sweep.hpp"

namespace ulna {

/// A joint with one degree of freedom that is led from one position to another.
struct DrivenRange {
  std::string joint{};
  WrittenNumber from{}, to{};
};

struct LoopSweep {
  Graph robot{};
  std::vector<DrivenRange> driven{};  // as many as the mechanism has degrees of freedom
  JointNumbers q{};                   // near the closed position to begin with; empty: the neutral one
  int steps = 360;
  double time = 1.0;  // for the whole range, s, at constant speed
  int mode = 1;       // which of assembly_modes() to begin in, from 1; the first is next to q
};

/// A sweep with its robot built and its joints found, ready to run.
struct PreparedLoopSweep {
  LoopSweep sweep;
  std::shared_ptr<const Model> model{};
  SweepSetup setup{};
};

/// Throws InputError for a robot without loops, a joint that is not there and a mode that was not found.
PreparedLoopSweep prepare(LoopSweep sweep);

/// The ways to assemble the mechanism where the driven joints begin, as positions. Throws InputError where there is
/// none, or where the driven joints are fewer or more than its degrees of freedom.
std::vector<std::vector<double>> assembly_modes(const PreparedLoopSweep& prepared);

/// The least and the greatest value of a column.
struct ColumnRange {
  Column column{};
  double low = 0.0, high = 0.0;
};

struct LoopRecord {
  LoopSweep sweep;
  std::shared_ptr<const Model> model{};
  SweepResult result{};
  std::vector<ColumnRange> ranges{};  // of positions, and of torques that are not always zero
  Trajectory table{};                 // of sweep_columns(); empty where the rows went to a recorder of the caller's
};

/// All rows in memory. `proceed` is asked at each step with the part of the range that is done; the sweep ends when it
/// returns false. Throws InputError when the driven joints do not determine the motion or the loops do not close at the
/// start.
LoopRecord run(const LoopSweep& sweep, const std::function<bool(double part)>& proceed = {});
/// Rows go to the recorder.
LoopRecord run(const PreparedLoopSweep& prepared, Recorder& recorder,
               const std::function<bool(double part)>& proceed = {});

}  // namespace ulna
