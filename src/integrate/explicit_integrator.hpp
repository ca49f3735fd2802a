// An explicit Runge–Kutta method behind Integrator.
#pragma once

#include "ulna/integrate/step_driver.hpp"

namespace ulna {

class ExplicitIntegrator final : public Integrator {
 public:
  ExplicitIntegrator(const Tableau& tableau, Ode<double>& system, const IntegratorOptions& options)
      : driver_(tableau, system, options) {}

  void start(double t, std::span<const double> y) override;
  StepStatus step(double limit) override;
  double previous_time() const override { return driver_.previous_time(); }
  double time() const override { return driver_.time(); }
  std::span<const double> state() const override { return driver_.state(); }
  void interpolate(double t, std::span<double> y) override;
  void glimpse(double t, std::span<double> y) override;
  void resolve(double t, std::span<double> y) override;
  const IntegratorStatistics& statistics() const override;

 private:
  /// Copies the state if t is the step's end.
  bool is_end(double t, std::span<double> y) const;

  StepDriver<double> driver_;
  mutable IntegratorStatistics statistics_;
};

}  // namespace ulna
