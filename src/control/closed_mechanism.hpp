// The equations of a mechanism with closed loops in independent coordinates y: ÿ as a function of y, ẏ and τ.
#pragma once

#include "matrices.hpp"
#include "ulna/dynamics/newton_euler/derivatives.hpp"
#include "ulna/loop/constrained_dynamics.hpp"

#pragma GCC visibility push(hidden)
namespace ulna::control {

class ClosedMechanism {
 public:
  explicit ClosedMechanism(const Model& model);

  /// Takes the state and, where none are given, chooses the independent joints.
  void update(std::span<const double> q, std::span<const double> v, std::span<const double> tau,
              std::vector<int>& independent, const std::vector<int>& actuated);

  /// Accelerations of all joints at the state.
  std::vector<double> acceleration(std::span<const double> v);
  /// ∂ÿ/∂y by central differences at three widths, whose errors of second and fourth order cancel.
  Matrix by_position();
  /// ∂ÿ/∂ẏ and (NᵀMN)⁻¹ Nᵀ, exactly; `a` the accelerations at the state.
  std::pair<Matrix, Matrix> by_velocity_and_torque(std::span<const double> v, std::span<const double> a);
  /// Of the actuated joints; without accelerations those that keep the independent rates.
  std::vector<double> torques_for(std::span<const double> v, std::span<const double> given,
                                  const std::vector<int>& actuated);

 private:
  Eigen::Index size() const { return static_cast<Eigen::Index>(independent_.size()); }
  std::vector<double> zero_rows() const { return std::vector<double>(static_cast<std::size_t>(equations_.rows())); }
  void choose(std::vector<int>& independent, const std::vector<int>& actuated) const;
  /// Rates of all joints from those of the independent ones.
  Eigen::VectorXd moved(const Eigen::VectorXd& y, const std::vector<double>& right_side) const;
  /// ÿ where y_k has moved by h.
  Eigen::VectorXd at(Eigen::Index k, double h);

  const Model& model_;
  Model tree_;
  LoopEquations equations_;
  ConstrainedDynamics dynamics_;
  newton_euler::DerivativeWorkspace<double> inverse_;
  std::vector<int> independent_;
  std::vector<double> q_, tau_, rates_;
  Matrix N_;  // what the joints do at unit rate of each independent one
};

}  // namespace ulna::control
#pragma GCC visibility pop
