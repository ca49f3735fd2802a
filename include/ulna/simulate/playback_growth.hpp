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
  Row largest{0.0, 1.0};
  double rate = 0.0;  // mean growth rate until then, 1/s: ln of the largest amplification over its time
  bool complete = false;
};

/// For a drive that plays a reference back without feedback; `every` between rows. The motion must
/// start on the reference. `proceed` is asked before each step and ends the computation by returning
/// false. doc/playback.md explains it.
PlaybackGrowth playback_growth(const Model& model, const Actions& actions, double duration, double every,
                               const std::function<bool()>& proceed = {});

}  // namespace ulna
