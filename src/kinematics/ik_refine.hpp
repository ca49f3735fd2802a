// One position on its way: to a target that is near, to the nearest place where there is none, and along the motions
// that leave the targets in place.
#pragma once

#include "ik_lanes.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

class IkRefiner {
 public:
  explicit IkRefiner(const IkProblem& problem);

  void set_target(std::span<const Pose<double>> poses) { steps_.set_target(0, poses); }
  /// By a few steps; whether the target is reached. q is where they end.
  bool arrive(std::span<double> q);
  /// To the least error that can be had from q.
  IkResult descend(std::span<double> q);
  IkResult errors(std::span<const double> q);
  /// Takes out of a direction at q what moves the targets' parts, or leads beyond a limit.
  void project(std::span<const double> q, std::span<double> direction);
  /// Whether q is within the limits.
  bool is_within(std::span<const double> q) const;
  /// Joints that stand at a limit and would reduce the error beyond it.
  std::vector<std::string> pressing(std::span<const double> q);

 private:
  IkResult result() const;

  const IkProblem& problem_;
  IkLanes<double> steps_;
  std::vector<double> before_, gradient_;
};

/// Brings the angles of hinges to the turn that is nearest to a position: `centre`, or where that is empty the middle
/// of the limits, zero without. Limits allowing; false where q is outside of them whatever the turn.
bool bring_into_limits(const Model& model, std::span<const double> centre, std::span<double> q);

/// How far two positions are apart: the root of the sum of squares over velocities, of hinges the shortest way round.
class IkDistance {
 public:
  explicit IkDistance(const Model& model) : model_(model), step_(static_cast<std::size_t>(model.nv())) {}
  double operator()(std::span<const double> a, std::span<const double> b);

 private:
  const Model& model_;
  std::vector<double> step_;
};

}  // namespace ulna
#pragma GCC visibility pop
