// The rows of a trajectory: everything that is written about one state.
#pragma once

#include "motion_row.hpp"
#include "ulna/simulate/motion_ode.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

class Sampler {
 public:
  Sampler(const Model& model, MotionOde& system, const ReferenceMotion* reference);

  /// The row at time t of a state y of the system.
  std::span<const double> row(double t, std::span<const double> y);

  double largest_imbalance() const { return largest_imbalance_; }
  double largest_energy() const { return largest_energy_; }
  double largest_residual() const { return largest_residual_; }

 private:
  void append_energies(std::span<const double> work);

  const Model& model_;
  MotionOde& system_;
  const ReferenceMotion* reference_;
  MotionRow<double> row_;
  std::vector<double> q_, v_, a_, tau_, reference_state_;
  bool first_ = true;
  double first_energy_ = 0.0, first_potential_ = 0.0, largest_imbalance_ = 0.0, largest_energy_ = 0.0,
         largest_residual_ = 0.0;
};

}  // namespace ulna
#pragma GCC visibility pop
