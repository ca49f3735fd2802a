// Friction near rest: the sign of v from the friction speed upwards, and nothing but a ramp below it.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ulna/dynamics/joint_forces.hpp"
#include "ulna/dynamics/method.hpp"
#include "ulna/io/robot/load.hpp"

namespace ulna {
namespace {

constexpr double viscous = 0.3, coulomb = 2.0, s = 0.01;

TEST(Friction, is_coulombs_from_the_friction_speed_upwards) {
  for (const double v : {s, 0.5, 1e6, 1e300})
    for (const double sign : {-1.0, 1.0}) EXPECT_EQ(friction(0.0, coulomb, s, sign * v), sign * coulomb) << v;
  EXPECT_EQ(friction(viscous, coulomb, s, 2.0), viscous * 2.0 + coulomb);
}

TEST(Friction, vanishes_with_the_speed) {
  EXPECT_EQ(friction(viscous, coulomb, s, 0.0), 0.0);
  const double noise = 1e-17;  // 1.5 coulomb/s of it
  EXPECT_LE(std::fabs(friction(0.0, coulomb, s, noise)), 1.5 * coulomb / s * noise * (1.0 + 1e-15));
  EXPECT_NEAR(friction(0.0, coulomb, s, 0.5 * s), coulomb * 0.6875, 1e-15);  // x (3 − x²)/2 at 1/2
  EXPECT_TRUE(std::isnan(friction(viscous, coulomb, s, std::numeric_limits<double>::quiet_NaN())));
}

TEST(Friction, slope_is_its_derivative) {
  for (const double v : {-2 * s, -s, -0.3 * s, 0.0, 1e-9, 0.9 * s, s, 3.0}) {
    Dual4 x(v);
    x.d[0] = 1.0;
    const double derivative = friction(Dual4(viscous), Dual4(coulomb), s, x).d[0];
    EXPECT_NEAR(friction_slope(viscous, coulomb, s, v), derivative, 1e-15 * 1.5 * coulomb / s) << v;
  }
}

/// Rounding of an integrator or of a plan is no motion, in any formulation.
TEST(Friction, of_a_joint_at_rest_is_no_torque) {
  const Model model = load("scara");
  const std::vector<double> q{0.3, -0.2, 0.1, 0.5}, zero(4, 0.0), noise{1e-17, -1e-17, 1e-16, -1e-18};
  std::vector<double> still(4), trembling(4);
  int tried = 0;
  for (const MethodInfo& info : methods()) {
    if (!info.can(Quantity::inverse_dynamics) || !info.refusal(model).empty()) continue;
    const auto method = make_method<double>(info.name, Quantity::inverse_dynamics, model);
    method->inverse_dynamics(q, zero, zero, still);
    method->inverse_dynamics(q, noise, zero, trembling);
    // at most 1.5 coulomb/speed of the noise, and the rounding of torques of some 15 N m
    for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(still[k], trembling[k], 1e-12) << info.name << " " << k;
    ++tried;
  }
  EXPECT_GE(tried, 3);
}

}  // namespace
}  // namespace ulna
