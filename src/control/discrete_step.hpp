// One step of a motion with a held torque, and how its end changes with its beginning and the torque.
#pragma once

#include "panels.hpp"
#include "ulna/batch/batch.hpp"
#include "ulna/control/optimal_control.hpp"

#pragma GCC visibility push(hidden)
namespace ulna::control {

/// All steps of a motion, with the states that their stages were evaluated at: column `stages · knot + stage`.
struct Rollout {
  Rollout(const Model& model, int knots, int stages, int inputs);

  std::vector<double> q, v, tau;  // of the stages; tau of all joints
  std::vector<double> q_end, v_end;
  std::vector<double> torque;  // of the actuated joints, by knot
  double cost = 0.0;
};

/// What the end of a step changes by, in the directions of v: nv × (2 nv + inputs) each.
struct StepDerivative {
  Panel position, velocity;
};

class DiscreteStep {
 public:
  DiscreteStep(const Model& model, const ControlProblem& problem, std::vector<int> actuated);

  int stages() const { return stages_; }
  /// From the state in the first stage of a knot, with its torque, to `q`, `v`.
  void advance(Rollout& rollout, int knot, double* q, double* v);
  /// Of all steps at once.
  void differentiate(const Rollout& rollout, std::vector<StepDerivative>& derivatives);

 private:
  void derive(const Rollout& rollout, int knot, StepDerivative& result);
  void take(int column, Panel& alpha) const;
  void accelerate(int column, Panel& alpha);
  void turn(std::span<const double> step, const Panel& moved, Panel& position) const;

  const Model& model_;
  std::vector<int> actuated_;
  int n_, nq_, stages_, inputs_;
  double h_;
  bool turns_;  // some joint has a quaternion
  std::unique_ptr<Method<double>> method_;
  Batch<double> batch_;
  std::vector<double> a_, dq_, dv_, dtau_;  // of all stages
  std::vector<double> accelerations_, step_;
  Panel first_position_, first_velocity_, xi_, eta_, alpha_, sum_eta_, sum_alpha_;
};

}  // namespace ulna::control
#pragma GCC visibility pop
