// Why open-loop playback leaves its path: the growth of small deviations along the reference.
#pragma once

#include <functional>
#include <vector>

#include "ulna/simulate/equations.hpp"

namespace ulna {

/// Deviations δ of (q, v) from the reference obey δ̇ = J(t) δ with the Jacobian J of the equations
/// of motion along it; Φ(t) takes δ(0) to δ(t).
struct PlaybackGrowth {
  struct Row {
    double t;
    double amplification;  // ‖Φ(t)‖₂: the largest growth of any small deviation at the start
  };
  std::vector<Row> rows;
  double rate = 0.0;  // mean growth rate over the run, 1/s: ln of the largest amplification over its time
};

/// For a drive that plays a reference back without feedback; `every` between rows. The motion must
/// start on the reference. `proceed` is asked after each step and ends it with the rows so far.
/// doc/playback.md explains it.
PlaybackGrowth playback_growth(const Model& model, const Actions& actions, double duration, double every,
                               const std::function<bool()>& proceed = {});

}  // namespace ulna
