// Differential equations whose solutions are known.
#pragma once

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "ulna/integrate/integrator.hpp"

namespace ulna::test {

/// A planet's ellipse about a sun of unit mass; unit major half axis, so that the period is 2π.
template <Real T>
class Kepler : public Ode<T> {
 public:
  std::size_t size() const override { return 4; }
  void rhs(const T&, std::span<const T> y, std::span<T> dy) override {
    const T r2 = y[0] * y[0] + y[1] * y[1], r3 = r2 * sqrt(r2);
    dy[0] = y[2];
    dy[1] = y[3];
    dy[2] = -y[0] / r3;
    dy[3] = -y[1] / r3;
  }
};

/// The planet at time t after perihelion. E solves Kepler's equation E − e sin E = t.
inline std::vector<double> ellipse(double e, double t) {
  double E = t;
  for (int i = 0; i < 50; ++i) E -= (E - e * std::sin(E) - t) / (1.0 - e * std::cos(E));
  const double rate = 1.0 / (1.0 - e * std::cos(E)), minor = std::sqrt(1.0 - e * e);
  return {std::cos(E) - e, minor * std::sin(E), -std::sin(E) * rate, minor * std::cos(E) * rate};
}

inline double distance(std::span<const double> x, std::span<const double> y) {
  double worst = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) worst = std::max(worst, std::fabs(x[i] - y[i]));
  return worst;
}

/// How much a small error at the beginning may grow on an ellipse within t: an error δ of the energy
/// changes the major axis by 2δa² and the mean motion by 3δ, which the fastest point, at the
/// perihelion, turns into a distance of 3 δ t · v and a change of velocity of 3 δ t / r².
inline double growth_on_ellipse(double e, double t) {
  const double r = 1.0 - e, v = std::sqrt((1.0 + e) / (1.0 - e));
  const double energy = std::max(v, 1.0 / (r * r));  // of a unit error in velocity or position
  return 1.0 + energy * 3.0 * t * std::max(v, 1.0 / (r * r));
}

/// Goes to `limit`, and says how it ended.
inline StepStatus run(Integrator& integrator, double limit) {
  StepStatus status = StepStatus::ok;
  while (status == StepStatus::ok && integrator.time() < limit) status = integrator.step(limit);
  return status;
}

inline IntegratorOptions tolerance(double both) { return {.relative = both, .absolute = both}; }
inline IntegratorOptions steps_of(double h) { return {.fixed_step = h}; }

inline constexpr double eps = std::numeric_limits<double>::epsilon();
inline constexpr double pi = std::numbers::pi;

}  // namespace ulna::test
