// Drives of scenarios that optimal control makes.
#pragma once

#include "ulna/study/scenario.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

/// By velocity index.
struct FeedbackWeights {
  std::vector<double> position, velocity, effort;
};

/// Of the linear feedback that costs least about a position at rest, for a drive that is sampled or not. Throws
/// InputError where there is none.
StateFeedbackDrive lqr_drive(const Model& model, std::span<const double> q, const FeedbackWeights& weights,
                             double sample, ReferencePointer reference);

/// To a posture, by prediction over the steps: one iteration for each call, which is to be sampled.
UserDrive mpc_drive(const Model& model, std::vector<double> posture, const FeedbackWeights& weights, int knots,
                    double step);

}  // namespace ulna
#pragma GCC visibility pop
