// An explicit Runge–Kutta method behind Integrator.
#pragma once

#include "ulna/integrate/paced_runge_kutta.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

class ExplicitIntegrator final : public Integrator {
 public:
  ExplicitIntegrator(const Tableau& tableau, Ode<double>& system, const IntegratorOptions& options)
      : paced_(tableau, system, options) {}

  void start(double t, std::span<const double> y) override;
  StepStatus step(double limit) override;
  double previous_time() const override { return paced_.previous_time(); }
  double time() const override { return paced_.time(); }
  std::span<const double> state() const override { return paced_.state(); }
  void interpolate(double t, std::span<double> y) override;
  void glimpse(double t, std::span<double> y) override;
  void retake(double t, std::span<double> y) override;
  const IntegratorStatistics& statistics() const override;

 private:
  /// Copies the state if t is the step's end.
  bool is_end(double t, std::span<double> y) const;

  PacedRungeKutta<double> paced_;
  mutable IntegratorStatistics statistics_;
};

}  // namespace ulna
#pragma GCC visibility pop
