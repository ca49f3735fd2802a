// Gauss–Legendre over long times: the energy does not drift.
#include <gtest/gtest.h>

#include "integrate/problems.hpp"

namespace ulna {
namespace {

using namespace test;

/// q'' = −sin q as q' = p, p' = −sin q.
class Pendulum final : public Ode<double> {
 public:
  std::size_t size() const override { return 2; }
  void rhs(const double&, std::span<const double> y, std::span<double> dy) override {
    dy[0] = y[1];
    dy[1] = -std::sin(y[0]);
  }
  static double energy(std::span<const double> y) { return 0.5 * y[1] * y[1] - std::cos(y[0]); }
};

struct Line {
  double slope;   // per step, of the energy
  double spread;  // the largest deviation of the energy from its beginning
};

Line energy_line(std::string_view name, double h, int steps) {
  Pendulum pendulum;
  const auto integrator = make_integrator(name, pendulum, steps_of(h));
  const std::vector<double> y{1.5, 0.0};
  integrator->start(0.0, y);
  const double middle = 0.5 * (steps + 1.0), e0 = Pendulum::energy(y);
  double moment = 0.0, spread = 0.0;
  for (int k = 1; k <= steps; ++k) {
    EXPECT_EQ(integrator->step(1e12), StepStatus::ok);
    const double change = Pendulum::energy(integrator->state()) - e0;
    moment += (k - middle) * change;
    spread = std::max(spread, std::fabs(change));
  }
  return {moment / (static_cast<double>(steps) * (double(steps) * steps - 1.0) / 12.0), spread};
}

/// Rounding makes the energy walk at random. A walk of N steps of deviation σ, fitted by a line, has a slope of
/// deviation σ √(6/(5N)). A step's rounding changes the energy by at most about σ = |∂H| · ε · |h y'| in its
/// increment, with |∂H|, |y'| < 1.5; the state itself is summed with compensation. Beside it stands the rounding of
/// the energy as computed, ε per value and independent, whose slope is ε √(12/N³): nothing. Four deviations.
TEST(Symplectic, EnergyDoesNotDriftInAMillionSteps) {
  const int steps = 1'000'000;
  const double h = 0.1;
  const Line line = energy_line("symplectic", h, steps);
  const double sigma = 1.5 * eps * h * 1.5;
  EXPECT_LT(std::fabs(line.slope), 4.0 * sigma * std::sqrt(1.2 / steps));
  EXPECT_LT(line.spread, 1e-8);  // the bounded error of order 6, (0.1)⁶ times what is far below 1e-2
}

/// That the test above can see a drift: the classical method has one.
TEST(Symplectic, ADriftWouldShow) {
  const int steps = 10'000;
  EXPECT_GT(std::fabs(energy_line("rk4", 0.1, steps).slope), 1e3 * 1.5 * eps * 0.15 * std::sqrt(1.2 / steps));
}

TEST(Symplectic, PhaseSpaceKeepsItsArea) {
  Pendulum pendulum;
  const auto integrator = make_integrator("symplectic", pendulum, steps_of(0.2));
  const auto flow = [&](double q, double p) {
    integrator->start(0.0, std::vector<double>{q, p});
    EXPECT_EQ(run(*integrator, 10.0), StepStatus::ok);
    return std::vector<double>(integrator->state().begin(), integrator->state().end());
  };
  const double d = 1e-5;  // central differences: d² and ε/d, both below 1e-9 with derivatives below ten
  const auto right = flow(1.0 + d, 0.2), left = flow(1.0 - d, 0.2), up = flow(1.0, 0.2 + d), down = flow(1.0, 0.2 - d);
  const double determinant =
      ((right[0] - left[0]) * (up[1] - down[1]) - (right[1] - left[1]) * (up[0] - down[0])) / (4.0 * d * d);
  EXPECT_NEAR(determinant, 1.0, 1e-8);
}

TEST(Symplectic, SaysWhenItsEquationsHaveNoSolution) {
  class Stiff final : public Ode<double> {
   public:
    std::size_t size() const override { return 1; }
    void rhs(const double&, std::span<const double> y, std::span<double> dy) override { dy[0] = -1e4 * y[0]; }
  } stiff;
  const auto integrator = make_integrator("symplectic", stiff, steps_of(0.1));
  integrator->start(0.0, std::vector<double>{1.0});
  EXPECT_EQ(integrator->step(1.0), StepStatus::not_converged);
  EXPECT_EQ(integrator->time(), 0.0);
  EXPECT_EQ(integrator->state()[0], 1.0);
}

}  // namespace
}  // namespace ulna
