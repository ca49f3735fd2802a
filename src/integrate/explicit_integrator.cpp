#include "integrate/explicit_integrator.hpp"

#include <algorithm>

namespace ulna {

void ExplicitIntegrator::start(double t, std::span<const double> y) { paced_.start(t, y); }

StepStatus ExplicitIntegrator::step(double limit) {
  while (paced_.attempt(limit)) {
    if (paced_.advanced(0)) break;
  }
  return paced_.status(0);
}

// At the end of the step the state is known, and none of them is exact there but for rounding.
void ExplicitIntegrator::interpolate(double t, std::span<double> y) {
  if (!is_end(t, y)) paced_.interpolate(t, y);
}

void ExplicitIntegrator::glimpse(double t, std::span<double> y) {
  if (!is_end(t, y)) paced_.glimpse(t, y);
}

void ExplicitIntegrator::retake(double t, std::span<double> y) {
  if (!is_end(t, y)) paced_.retake(t, y);
}

bool ExplicitIntegrator::is_end(double t, std::span<double> y) const {
  if (t != time()) return false;
  std::copy(state().begin(), state().end(), y.begin());
  return true;
}

const IntegratorStatistics& ExplicitIntegrator::statistics() const { return statistics_ = paced_.statistics(0); }

}  // namespace ulna
