#include "integrate/explicit_integrator.hpp"

#include <algorithm>

namespace ulna {

void ExplicitIntegrator::start(double t, std::span<const double> y) { driver_.start(t, y); }

StepStatus ExplicitIntegrator::step(double limit) {
  while (driver_.attempt(limit)) {
    if (driver_.advanced(0)) break;
  }
  return driver_.status(0);
}

void ExplicitIntegrator::interpolate(double t, std::span<double> y) {
  if (t == time()) {
    std::copy(state().begin(), state().end(), y.begin());
  } else {
    driver_.interpolate(t, y);
  }
}

void ExplicitIntegrator::glimpse(double t, std::span<double> y) {
  if (t == time()) {
    std::copy(state().begin(), state().end(), y.begin());
  } else {
    driver_.glimpse(t, y);
  }
}

void ExplicitIntegrator::resolve(double t, std::span<double> y) {
  if (t == time()) {
    std::copy(state().begin(), state().end(), y.begin());
  } else {
    driver_.resolve(t, y);
  }
}

const IntegratorStatistics& ExplicitIntegrator::statistics() const { return statistics_ = driver_.statistics(0); }

}  // namespace ulna
