// Effort: whether a run still gets anywhere. It counts steps against simulated time and never looks at a clock, so that
// a run ends in the same place on every machine.
#pragma once

#include <string>

#include "ulna/simulate/simulation.hpp"

namespace ulna {

class Effort {
 public:
  explicit Effort(const SimulationSetup& setup) : duration_(setup.duration), most_steps_(setup.most_steps) {}

  void start(double t);
  /// After a step or an attempt; `steps` are those since start(), taken and turned down. True: at the pace of the last
  /// hundred thousand the rest would take more steps than the setup allows, and a second of it more than a million.
  bool is_hopeless(double t, long steps);

  struct Verdict {
    RunStatus status;    // diverged or too_stiff
    std::string reason;  // with the pace and what can be done
  };
  /// Why, by the velocities that the run has come to.
  Verdict verdict(const Model& model, std::span<const double> v) const;

 private:
  double duration_, most_steps_;
  double from_ = 0.0, pace_ = 0.0, forecast_ = 0.0;  // steps per second and in all
  long next_look_ = 0;
};

}  // namespace ulna
