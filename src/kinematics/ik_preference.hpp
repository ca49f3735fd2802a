// What makes one position better than another that reaches the same target.
#pragma once

#include "ik_refine.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

class IkJudge {
 public:
  explicit IkJudge(const IkProblem& problem);

  /// `start` is what "near" is measured from; empty: from the neutral position.
  void set(IkPreference preference, std::span<const double> start);
  /// Less is better.
  double cost(std::span<const double> q);
  /// Moves q along the motions that leave the targets in place, until that makes it no better.
  void improve(IkRefiner& refiner, std::span<double> q);

 private:
  double from_start(std::span<const double> q);
  double from_middle(std::span<const double> q) const;
  double near_singular(std::span<const double> q);
  double gravity_torque(std::span<const double> q);
  /// ∂cost/∂q, as velocities are.
  void slope(std::span<const double> q, std::span<double> to);

  const IkProblem& problem_;
  IkPreference preference_ = IkPreference::any;
  Kinematics<double> kinematics_;
  IkLanes<double> rows_;
  std::vector<double> neutral_, start_, try_;           // positions
  std::vector<double> gradient_, step_, way_, torque_;  // as velocities are
};

}  // namespace ulna
#pragma GCC visibility pop
