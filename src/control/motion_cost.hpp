// What a state and a torque of a motion cost, with first and second derivatives.
#pragma once

#include "panels.hpp"
#include "ulna/control/optimal_control.hpp"
#include "ulna/kinematics/kinematics.hpp"

#pragma GCC visibility push(hidden)
namespace ulna::control {

class MotionCost {
 public:
  /// Throws InputError for numbers of a wrong size or sign.
  MotionCost(const Model& model, const ControlProblem& problem, int inputs);

  /// Of one step, or without torques of the end.
  double value(std::span<const double> q, std::span<const double> v, std::span<const double> torque);
  /// Adds the derivatives by (position, velocity, torque) to g and H.
  void differentiate(std::span<const double> q, std::span<const double> v, std::span<const double> torque,
                     std::span<double> g, Panel& H);

 private:
  const ControlCost& cost_of(bool end) const { return end ? problem_.terminal : problem_.running; }
  bool looks_at_frames(const ControlCost& cost, bool end) const {
    return !cost.tips.empty() || (!end && !problem_.keep_out.empty());
  }
  /// Adds weight·(row·rowᵀ) and weight·error·row, row over the positions.
  void add_square(double weight, double error, std::span<const double> row, std::span<double> g, Panel& H) const;
  void add_posture(const ControlCost& cost, double scale, std::span<const double> q, std::span<double> g, Panel& H);
  void add_tip(const IkTarget& tip, double scale, std::span<double> g, Panel& H);

  const Model& model_;
  ControlProblem problem_;
  int n_, inputs_;
  Kinematics<double> kinematics_;
  std::vector<double> error_, row_, jacobian_;
};

}  // namespace ulna::control
#pragma GCC visibility pop
