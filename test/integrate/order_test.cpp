// The orders that methods show on an ellipse, with fixed steps, between steps, and how the error
// follows the tolerance.
#include <gtest/gtest.h>

#include "integrate/problems.hpp"

namespace ulna {
namespace {

using namespace test;

constexpr double e = 0.3;

double error_with_step(std::string_view name, double h) {
  Kepler<double> kepler;
  const auto integrator = make_integrator(name, kepler, steps_of(h));
  integrator->start(0.0, ellipse(e, 0.0));
  EXPECT_EQ(run(*integrator, 2.0), StepStatus::ok);
  EXPECT_EQ(integrator->time(), 2.0);
  return distance(integrator->state(), ellipse(e, 2.0));
}

struct Case {
  const char* name;
  int order;
  double coarse;  // a step where the error is far above rounding, and that of half the step too
  int between;    // the error within one step is of this order
};

class FixedStep : public ::testing::TestWithParam<Case> {};

/// error(h) = C hᵖ (1 + O(h)): the logarithm of the ratio of two errors is p + O(h). The next term
/// would shift it by one where it were as large as the first; it is far below that here.
TEST_P(FixedStep, ErrorFallsWithTheOrder) {
  const double coarse = error_with_step(GetParam().name, GetParam().coarse);
  const double fine = error_with_step(GetParam().name, GetParam().coarse / 2.0);
  EXPECT_NEAR(std::log2(coarse / fine), GetParam().order, 0.4) << coarse << ", " << fine;
  EXPECT_GT(fine, 1e3 * eps);  // or the ratio would mean nothing
}

double error_within_step(const char* name, double h, bool retaken) {
  Kepler<double> kepler;
  const auto integrator = make_integrator(name, kepler, steps_of(h));
  integrator->start(0.0, ellipse(e, 0.0));
  integrator->step(100.0);
  std::vector<double> y(4);
  double worst = 0.0;
  for (double theta : {0.1, 0.25, 0.4, 0.6, 0.8, 0.95}) {
    retaken ? integrator->retake(theta * h, y) : integrator->interpolate(theta * h, y);
    worst = std::max(worst, distance(y, ellipse(e, theta * h)));
  }
  return worst;
}

TEST_P(FixedStep, StatesBetweenStepsHaveTheirOrder) {
  const Case& c = GetParam();
  const double coarse = error_within_step(c.name, c.coarse, false);
  const double fine = error_within_step(c.name, c.coarse / 2.0, false);
  EXPECT_NEAR(std::log2(coarse / fine), c.between, 0.5) << coarse << ", " << fine;
}

TEST_P(FixedStep, ResolvedStatesAreAsGoodAsSteps) {
  const Case& c = GetParam();
  const double coarse = error_within_step(c.name, c.coarse, true);
  const double fine = error_within_step(c.name, c.coarse / 2.0, true);
  EXPECT_GT(std::log2(coarse / fine), c.order + 1 - 0.5) << coarse << ", " << fine;
}

TEST_P(FixedStep, EndsOfAStepAreExactlyItsStates) {
  Kepler<double> kepler;
  const auto integrator = make_integrator(GetParam().name, kepler, steps_of(0.1));
  integrator->start(0.0, ellipse(e, 0.0));
  integrator->step(10.0);
  const std::vector<double> before(integrator->state().begin(), integrator->state().end());
  integrator->step(10.0);
  std::vector<double> y(4);
  integrator->interpolate(integrator->time(), y);
  EXPECT_EQ(distance(y, integrator->state()), 0.0);
  integrator->interpolate(integrator->previous_time(), y);
  EXPECT_EQ(distance(y, before), 0.0);
}

// Within a step the error of one step: order + 1 for fresh steps, dense_order + 1 for dense output, and
// stages + 1 for the collocation polynomial.
INSTANTIATE_TEST_SUITE_P(Methods, FixedStep,
                         ::testing::Values(Case{"rk4", 4, 0.02, 5}, Case{"rkf45", 5, 0.05, 6}, Case{"dp5", 5, 0.05, 5},
                                           Case{"dop853", 8, 0.2, 8}, Case{"symplectic", 6, 0.1, 4}),
                         [](const auto& method) { return std::string(method.param.name); });

class Adaptive : public ::testing::TestWithParam<const char*> {
 protected:
  struct Result {
    double error, between;
    IntegratorStatistics statistics;
  };
  static Result result(double tol) {
    Kepler<double> kepler;
    const auto integrator = make_integrator(GetParam(), kepler, tolerance(tol));
    integrator->start(0.0, ellipse(e, 0.0));
    std::vector<double> y(4);
    double between = 0.0;
    while (integrator->time() < 10.0) {
      if (integrator->step(10.0) != StepStatus::ok) break;
      for (double theta : {0.25, 0.5, 0.75}) {
        const double t = integrator->previous_time() + theta * (integrator->time() - integrator->previous_time());
        integrator->interpolate(t, y);
        between = std::max(between, distance(y, ellipse(e, t)));
      }
    }
    EXPECT_EQ(integrator->time(), 10.0);
    return {distance(integrator->state(), ellipse(e, 10.0)), between, integrator->statistics()};
  }
};

/// Each step adds at most about the tolerance in root mean square over 4 components of size up to 2, so at most
/// √4·(1 + 2)·tol in one of them; what it adds grows as on an ellipse.
TEST_P(Adaptive, ErrorStaysWithinWhatStepsMayAdd) {
  for (double tol : {1e-5, 1e-7, 1e-9, 1e-11}) {
    const Result r = result(tol);
    const double most = static_cast<double>(r.statistics.steps) * 6.0 * tol * growth_on_ellipse(e, 10.0);
    EXPECT_LT(r.error, most) << tol;
    EXPECT_LT(r.between, most) << tol;
  }
}

/// h ~ tol^(1/(q+1)) and error ~ hᵖ make error ~ tol for the pairs here (p = q + 1). For multistep methods the
/// order moves with the tolerance, which makes the exponent only roughly one.
TEST_P(Adaptive, ErrorIsProportionalToTheTolerance) {
  const double exponent = std::log10(result(1e-5).error / result(1e-11).error) / 6.0;
  EXPECT_NEAR(exponent, 1.0, 0.25);
}

INSTANTIATE_TEST_SUITE_P(Methods, Adaptive, ::testing::Values("rkf45", "dp5", "dop853", "adams", "bdf"),
                         [](const auto& method) { return std::string(method.param); });

}  // namespace
}  // namespace ulna
