// Effort: whether a run still gets anywhere. It counts steps against simulated time and never looks at a clock, so that
// a run ends in the same place on every machine.
#pragma once

#include <string>

#include "ulna/simulate/simulation.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

class Effort {
 public:
  /// Fixed steps are counted in advance (check_setup), and so are the samples of a drive, at each of which steps begin
  /// anew: both are as the user wants them.
  explicit Effort(const SimulationSetup& setup);

  void start(double t);
  /// After a step or an attempt; `steps` are those since start(), taken and turned down. True: they are more than the
  /// setup allows; or at the pace of the last hundred thousand the rest would make them so, and a second of it takes
  /// more than is usual.
  bool is_hopeless(double t, long steps);

  struct Verdict {
    RunStatus status;    // diverged or too_stiff
    std::string reason;  // with the pace and what can be done
  };
  /// Why, by the velocities that the run has come to.
  Verdict verdict(const Model& model, std::span<const double> v) const;

 private:
  bool steps_are_fixed_;
  double duration_, most_steps_, usual_pace_;
  double from_ = 0.0, pace_ = 0.0, forecast_ = 0.0, taken_ = 0.0;  // steps per second, in all and so far
  long next_look_ = 0;
};

}  // namespace ulna
#pragma GCC visibility pop
