// CVODE behind the interface: stiff problems with published solutions, Jacobians, silence.
#include <gtest/gtest.h>

#include "integrate/problems.hpp"

namespace ulna {
namespace {

using namespace test;

/// Robertson's chemistry (HW IV.1, (1.4)).
class Robertson final : public Ode<double> {
 public:
  explicit Robertson(bool has_jacobian) : has_jacobian_(has_jacobian) {}
  long jacobians = 0;
  std::size_t size() const override { return 3; }
  void rhs(const double&, std::span<const double> y, std::span<double> dy) override {
    dy[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
    dy[2] = 3e7 * y[1] * y[1];
    dy[1] = -dy[0] - dy[2];
  }
  bool jacobian(const double&, std::span<const double> y, MatrixView<double> J) override {
    if (!has_jacobian_) return false;
    ++jacobians;
    const double a = 1e4 * y[2], b = 1e4 * y[1], c = 6e7 * y[1];
    const double rows[3][3] = {{-0.04, a, b}, {0.04, -a - c, -b}, {0.0, c, 0.0}};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) J(i, j) = rows[i][j];
    return true;
  }

 private:
  bool has_jacobian_;
};

/// The reference is of the Test Set for IVP Solvers (Mazzia and Magherini), problem ROBER, t = 1e11. All slow modes
/// decay, so that errors do not pile up: within a few hundred tolerances of each component's own scale.
TEST(Bdf, RobertsonWithAndWithoutJacobian) {
  for (bool given : {true, false}) {
    Robertson robertson(given);
    const auto integrator = make_integrator("bdf", robertson, {.relative = 1e-8, .absolute = 1e-16});
    integrator->start(0.0, std::vector<double>{1.0, 0.0, 0.0});
    ASSERT_EQ(run(*integrator, 1e11), StepStatus::ok);
    const std::vector<double> reference{0.2083340149701255e-07, 0.8333360770334713e-13, 0.9999999791665050};
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(integrator->state()[i] / reference[i], 1.0, 500 * 1e-8) << i;
    const IntegratorStatistics& s = integrator->statistics();
    EXPECT_LT(s.steps, 5000);
    EXPECT_GT(s.jacobians, 10);
    EXPECT_GE(s.factorisations, s.jacobians);
    EXPECT_EQ(robertson.jacobians, given ? s.jacobians + 1 : 0);  // one to see whether there is any
    // Differences for a Jacobian cost one right-hand side per component, Newton at least one per step.
    EXPECT_GE(s.right_hand_sides, s.steps + (given ? 0 : 3 * s.jacobians));
    EXPECT_LE(s.right_hand_sides, 3 * (s.steps + s.rejected) + (given ? 0 : 3 * s.jacobians) + 10);
  }
}

/// Van der Pol's equation with ε = 1e-6 (HW IV.10, VDPOL), solution at t = 2 of the same test set.
TEST(Bdf, VanDerPol) {
  class VanDerPol final : public Ode<double> {
   public:
    std::size_t size() const override { return 2; }
    void rhs(const double&, std::span<const double> y, std::span<double> dy) override {
      dy[0] = y[1];
      dy[1] = ((1.0 - y[0] * y[0]) * y[1] - y[0]) / 1e-6;
    }
  } van_der_pol;
  const auto integrator = make_integrator("bdf", van_der_pol, tolerance(1e-9));
  integrator->start(0.0, std::vector<double>{2.0, 0.0});
  ASSERT_EQ(run(*integrator, 2.0), StepStatus::ok);
  EXPECT_NEAR(integrator->state()[0], 1.706167732170469, 1e-5);
  EXPECT_NEAR(integrator->state()[1], -0.8928097010248125, 1e-5);
  EXPECT_LT(integrator->statistics().steps, 20000);
}

TEST(Cvode, StatisticsGoOnAfterRestarts) {
  Robertson robertson(true);
  const auto integrator = make_integrator("bdf", robertson, tolerance(1e-6));
  IntegratorStatistics before;
  for (int i = 0; i < 3; ++i) {
    integrator->start(0.0, std::vector<double>{1.0, 0.0, 0.0});
    EXPECT_EQ(integrator->statistics().steps, before.steps);
    EXPECT_EQ(integrator->statistics().jacobians, before.jacobians);
    ASSERT_EQ(run(*integrator, 10.0), StepStatus::ok);
    const IntegratorStatistics now = integrator->statistics();
    EXPECT_GT(now.steps, before.steps);
    EXPECT_GT(now.jacobians, before.jacobians);
    EXPECT_GT(now.factorisations, before.factorisations);
    if (i > 0) {
      EXPECT_EQ(now.steps, (i + 1) * (before.steps / i));  // the same run each time
    }
    before = now;
  }
}

TEST(Cvode, IsSilent) {
  class Nowhere final : public Ode<double> {
   public:
    std::size_t size() const override { return 1; }
    void rhs(const double& t, std::span<const double>, std::span<double> dy) override {
      dy[0] = t > 1.0 ? std::nan("") : 1.0;
    }
  } nowhere;
  testing::internal::CaptureStderr();
  testing::internal::CaptureStdout();
  for (const char* name : {"adams", "bdf"}) {
    const auto integrator = make_integrator(name, nowhere, tolerance(1e-6));
    integrator->start(0.0, std::vector<double>{0.0});
    EXPECT_EQ(run(*integrator, 2.0), StepStatus::not_finite);
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

}  // namespace
}  // namespace ulna
