// Gauss–Legendre collocation: symplectic for y = (q, p), symmetric, of order 2s with s stages.
//
// Written by hand because SUNDIALS has no such method and because what makes it worth having over
// long times is in the details: stages solved to rounding, coefficients without rounding, compensated
// sums (HLW VIII.5 and VIII.6; Hairer, McLachlan, Razakarivony 2008).
#pragma once

#include "ulna/integrate/state_rows.hpp"
#include "ulna/integrate/step_control.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

class GaussLegendre final : public Integrator {
 public:
  GaussLegendre(const CollocationTableau& tableau, Ode<double>& system, const IntegratorOptions& options);

  void start(double t, std::span<const double> y) override;
  StepStatus step(double limit) override;
  double previous_time() const override { return control_.previous_time(); }
  double time() const override { return control_.time(); }
  std::span<const double> state() const override { return {y1_, size_}; }
  /// By the collocation polynomial, of order s.
  void interpolate(double t, std::span<double> y) override;
  /// By a step of the method, of order 2s.
  void retake(double t, std::span<double> y) override;
  const IntegratorStatistics& statistics() const override { return statistics_; }

 private:
  using Slopes = std::vector<double*>;
  void evaluate(double t, const double* y, double* dy);
  void guess_slopes(double h);
  void extrapolate(const Slopes& from, double at_zero, double scale, const Slopes& to) const;
  StepStatus solve(double t, double h, const Slopes& k);
  double iterate(double t, double h, const Slopes& k);
  void add_increment(double h, const Slopes& k);
  double lagrange(std::size_t j, double x) const;
  double lagrange_integral(std::size_t j, double x) const;
  double part_of_step(double t) const;

  const CollocationTableau& tableau_;
  Ode<double>& system_;
  StepControl control_;
  std::size_t size_, padded_;
  StateRows<double> rows_;
  double *y0_, *y1_, *carry0_, *carry1_, *trial_, *slope_;  // carry: what y lost to rounding
  Slopes k_, spare_k_;                                      // of the step, and for others
  std::vector<std::vector<Term>> a_, a_rest_;
  std::vector<Term> b_, b_rest_;
  std::vector<double> powers_;  // row j: the coefficients of the j-th Lagrange polynomial of c
  double h_ = 0.0;              // of the last step; 0: none that k_ belongs to
  bool slopes_known_ = false;
  IntegratorStatistics statistics_;
};

}  // namespace ulna
#pragma GCC visibility pop
