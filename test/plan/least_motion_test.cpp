// Motions from point to point without a path, against closed forms, the equations of motion and the straight way.
#include "ulna/plan/least_motion.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "bar.hpp"
#include "ulna/base/error.hpp"
#include "ulna/dynamics/newton_euler/newton_euler.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/kinematics/kinematics.hpp"
#include "ulna/model/build.hpp"
#include "ulna/model/random_state.hpp"
#include "ulna/plan/timed_motion.hpp"

namespace ulna {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
/// The interior-point method stops where the gap is 1e-6 of the value; the multipliers of a bang-bang motion are exact.
constexpr double gap = 2e-6;

/// The largest part of a limit that a motion takes, at `parts` + 1 places of each of its intervals.
double most_effort(const Model& model, const LeastMotion& found, const TimingLimits& limits, int parts) {
  const auto n = static_cast<std::size_t>(model.nv());
  const auto motion = make_reference(*found.path, found.timing);
  newton_euler::Workspace<double> workspace(model);
  Kinematics<double> kinematics(model);
  std::vector<double> q(n), v(n), a(n), tau(n);
  const std::vector<double>& times = found.timing.times;
  double most = 0.0;
  for (std::size_t k = 0; k + 1 < times.size(); ++k)
    for (int part = 0; part <= parts; ++part) {
      motion->at(times[k] + (times[k + 1] - times[k]) * part / parts, 0.5 * (times[k] + times[k + 1]), q, v, a);
      newton_euler::inverse_dynamics<double>(model, workspace, q, v, a, tau);
      kinematics.update_positions(q);
      kinematics.update_velocities(v);
      most = std::max(most, norm(kinematics.velocity(model.tip(), Reference::world_axes).linear) / limits.tip_speed);
      for (std::size_t j = 0; j < n; ++j) {
        EXPECT_GE(q[j], model.lower_limits()[j] - 2e-7);
        EXPECT_LE(q[j], model.upper_limits()[j] + 2e-7);
        most = std::max({most, std::abs(tau[j]) / limits.torque[j], std::abs(v[j]) / limits.velocity[j],
                         std::abs(a[j]) / limits.acceleration[j]});
        if (!limits.power.empty()) most = std::max(most, std::abs(tau[j] * v[j]) / limits.power[j]);
      }
    }
  return most;
}

/// That position, velocity and acceleration belong together, and the ends are where they should be, at rest.
void expect_motion(const LeastMotion& found, std::span<const double> from, std::span<const double> to) {
  const std::size_t n = from.size();
  const auto motion = make_reference(*found.path, found.timing);
  std::vector<double> q(n), v(n), a(n), next(n), next_v(n), next_a(n);
  const std::vector<double>& times = found.timing.times;
  for (std::size_t k = 0; k + 1 < times.size(); ++k) {
    const double middle = 0.5 * (times[k] + times[k + 1]), h = times[k + 1] - times[k];
    motion->at(times[k], middle, q, v, a);
    motion->at(times[k + 1], middle, next, next_v, next_a);
    for (std::size_t j = 0; j < n; ++j) {
      EXPECT_NEAR(next_v[j], v[j] + h * a[j], 1e-9);
      EXPECT_NEAR(next[j], q[j] + h * (v[j] + 0.5 * h * a[j]), 1e-9);
      const bool is_first = k == 0, is_last = k + 2 == times.size();
      EXPECT_NEAR(is_first ? q[j] - from[j] : 0.0, 0.0, 1e-12);
      EXPECT_NEAR(is_first ? v[j] : 0.0, 0.0, 1e-9);
      EXPECT_NEAR(is_last ? next[j] - to[j] : 0.0, 0.0, 1e-9);
      EXPECT_NEAR(is_last ? next_v[j] : 0.0, 0.0, 1e-9);
    }
  }
}

TEST(LeastMotion, BangBangOfOneJoint) {
  const Model model = bar();
  TimingLimits limits = no_limits(1);
  limits.torque = {0.6};
  const LeastMotion found = least_motion(model, std::vector{0.0}, std::vector{2.0}, limits);
  ASSERT_TRUE(found.possible()) << found.timing.reason;
  const double closed = 2.0 * std::sqrt(2.0 * bar_inertia / 0.6);
  EXPECT_NEAR(found.timing.duration(), closed, gap * closed);
  EXPECT_NEAR(found.torque_square, 0.36 * closed, 1e-4 * found.torque_square);
  limits.velocity = {1.0};
  const LeastMotion held = least_motion(model, std::vector{0.0}, std::vector{2.0}, limits);
  const double trapezoid = 2.0 + bar_inertia / 0.6;
  // where it no longer accelerates lies within an interval: (1/60)² of the time at most
  EXPECT_NEAR(held.timing.duration(), trapezoid, trapezoid / 3600.0);
}

/// τ linear in time: q a cubic, ∫τ² = 12 d² J²/T³. Constant accelerations on N intervals make it 1/(1 − 1/N²) of that.
TEST(LeastMotion, LeastTorqueOfOneJoint) {
  const Model model = bar();
  const double d = 1.5, time = 2.0;
  const LeastMotion found = least_motion(model, std::vector{0.0}, std::vector{d}, no_limits(1),
                                         {.least = LeastOf::torque, .duration = time, .intervals = 40});
  ASSERT_TRUE(found.possible()) << found.timing.reason;
  const double closed = 12.0 * d * d * bar_inertia * bar_inertia / std::pow(time, 3), discrete = 1.0 - 1.0 / 1600.0;
  EXPECT_NEAR(found.torque_square, closed / discrete, gap * closed);
  const auto motion = make_reference(*found.path, found.timing);
  double q = 0, v = 0, a = 0;
  for (int k = 1; k < 8; ++k) {
    const double u = k / 8.0;
    motion->at(u * time, u * time, {&q, 1}, {&v, 1}, {&a, 1});
    EXPECT_NEAR(q, d * u * u * (3.0 - 2.0 * u), 2e-3 * d);
  }
}

/// Without friction nor gravity a joint gives the kinetic energy once, J v²/2, and the least of that has the speed as
/// even as the torque's limit allows: it accelerates at the limit, coasts and brakes.
TEST(LeastMotion, LeastEnergyOfOneJoint) {
  const Model model = bar();
  TimingLimits limits = no_limits(1);
  limits.torque = {0.6};
  const double d = 2.0, a = 0.6 / bar_inertia, time = 3.0;
  const double v = 0.5 * (a * time - std::sqrt(a * a * time * time - 4.0 * a * d));  // d = v T − v²/a
  const LeastMotion found = least_motion(model, std::vector{0.0}, std::vector{d}, limits,
                                         {.least = LeastOf::energy, .duration = time, .intervals = 120});
  ASSERT_TRUE(found.possible()) << found.timing.reason;
  const double closed = 0.5 * bar_inertia * v * v;
  EXPECT_GE(found.energy, closed * (1.0 - 1e-3));
  EXPECT_LE(found.energy, closed * (1.0 + 2e-3));  // the rounded corner: 1e-3 of the power at most
}

TEST(LeastMotion, IsNeverSlowerThanStraight) {
  for (const char* name : {"planar2r", "panda_like", "ur5_like"}) {
    SCOPED_TRACE(name);
    const Model model = load(name);
    TimingLimits limits = timing_limits(model);
    for (double& torque : limits.torque) torque = std::isfinite(torque) ? torque : 150.0;
    std::mt19937_64 generator(25);
    double gained = 0.0;
    int solved = 0;
    for (int round = 0; round < 6; ++round) {
      std::vector<double> from = random_position(model, generator), to = random_position(model, generator);
      for (std::size_t j = 0; j < from.size(); ++j) {  // around the middle of the ranges, or of a turn
        from[j] *= 0.5;
        to[j] *= 0.5;
      }
      const LeastMotion found = least_motion(model, from, to, limits);
      if (!std::isfinite(found.straight)) continue;
      ++solved;
      ASSERT_TRUE(found.possible()) << found.timing.reason;
      EXPECT_LE(found.timing.duration(), found.straight);
      EXPECT_LE(most_effort(model, found, limits, 8),
                1.0 + 1.1e-3);  // what is stated, at other places than it looked at
      if (found.timing.acceleration.front() == 0.0) expect_motion(found, from, to);
      gained += 1.0 - found.timing.duration() / found.straight;
    }
    EXPECT_GE(solved, 3);
    EXPECT_GT(gained / solved, 0.005);  // straight ways are seldom the fastest
  }
}

/// A motion that is least cannot be made cheaper by a little: the slope along random changes that keep the limits is
/// zero.
TEST(LeastMotion, CostsLessThanItsNeighbours) {
  const Model model = load("planar2r");
  TimingLimits limits = no_limits(2);
  limits.torque = {400.0, 200.0};
  const std::vector<double> from{0.0, 0.0}, to{1.0, -1.0};
  const LeastMotionOptions options{.least = LeastOf::torque, .duration = 1.5, .intervals = 30};
  const LeastMotion found = least_motion(model, from, to, limits, options);
  ASSERT_TRUE(found.possible());
  ASSERT_LT(most_effort(model, found, limits, 2), 0.9);  // no limit is near
  std::mt19937_64 generator(3);
  std::normal_distribution<double> normal;
  newton_euler::Workspace<double> workspace(model);
  const auto reference = make_reference(*found.path, found.timing);
  for (int round = 0; round < 5; ++round) {
    // a bump that rests at both ends: w (t(T − t))² (c0 + c1 t), whose second derivative is continuous
    const double c[4] = {normal(generator), normal(generator), normal(generator), normal(generator)};
    const auto cost = [&](double size) {
      double sum = 0.0;
      constexpr int steps = 6000;
      std::vector<double> q(2), v(2), a(2), tau(2);
      for (int k = 0; k < steps; ++k) {
        const double t = 1.5 * (k + 0.5) / steps, p = t * (1.5 - t), dp = 1.5 - 2.0 * t;
        reference->at(t, t, q, v, a);
        for (std::size_t j = 0; j < 2; ++j) {
          const double l = c[2 * j] + c[2 * j + 1] * t, dl = c[2 * j + 1];
          q[j] += size * p * p * l;
          v[j] += size * (2.0 * p * dp * l + p * p * dl);
          a[j] += size * ((2.0 * dp * dp - 4.0 * p) * l + 4.0 * p * dp * dl);
        }
        newton_euler::inverse_dynamics<double>(model, workspace, q, v, a, tau);
        sum += (tau[0] * tau[0] + tau[1] * tau[1]) * 1.5 / steps;
      }
      return sum;
    };
    const double size = 0.02, here = cost(0.0), slope = (cost(size) - cost(-size)) / (2.0 * size);
    const double curvature = (cost(size) - 2.0 * here + cost(-size)) / (size * size);
    // what a Newton step along the bump would still gain: the spline is off the optimum in second order of 1/30
    EXPECT_LT(0.5 * slope * slope / curvature, 1e-3 * here);
    EXPECT_GT(curvature, 0.0);
  }
}

TEST(LeastMotion, KeepsPowerTipSpeedAndJerk) {
  const Model model = load("panda_like");
  const std::vector<double> from{0, 0, 0, -1.5, 0, 1.5, 0}, to{1, 0.3, 0, -1, 0.4, 1.8, 0};
  TimingLimits limits = timing_limits(model);
  const double free = least_motion(model, from, to, limits).timing.duration();
  TimingLimits weak = limits;
  weak.power.assign(7, 30.0);
  weak.tip_speed = 0.8;
  const LeastMotion slow = least_motion(model, from, to, weak);
  ASSERT_TRUE(slow.possible()) << slow.timing.reason;
  EXPECT_GT(slow.timing.duration(), free);
  EXPECT_LE(most_effort(model, slow, weak, 1), 1.0 + 1e-9);
  EXPECT_GE(most_effort(model, slow, weak, 1), 1.0 - 1e-3);
  TimingLimits smooth = limits;
  smooth.jerk.assign(7, 50.0);
  const LeastMotion soft = least_motion(model, from, to, smooth);
  ASSERT_TRUE(soft.possible()) << soft.timing.reason;
  EXPECT_GT(soft.timing.duration(), free);
  EXPECT_LE(soft.timing.duration(), soft.straight);
  EXPECT_LE(most_effort(model, soft, limits, 8), 1.0 + 1.1e-3);
}

TEST(LeastMotion, TakesADetourWhereStraightIsImpossible) {
  const Model model = load("planar2r");  // stretched out it cannot hold itself, folded it can
  TimingLimits limits = no_limits(2);
  newton_euler::Workspace<double> workspace(model);
  std::vector<double> g(2);
  newton_euler::gravity<double>(model, workspace, std::vector{0.0, 0.0}, g);
  limits.torque = {0.6 * std::abs(g[0]), 1.2 * std::abs(g[1])};
  const std::vector<double> from{-1.4, 0.0}, to{1.4, 0.0};
  const LeastMotion found = least_motion(model, from, to, limits);
  EXPECT_FALSE(std::isfinite(found.straight));
  ASSERT_TRUE(found.possible()) << found.timing.reason;
  EXPECT_LE(most_effort(model, found, limits, 1), 1.0 + 1e-9);
  expect_motion(found, from, to);
}

TEST(LeastMotion, SaysWhyNot) {
  const Model model = load("planar2r");
  const std::vector<double> from{0, 0}, to{1, 1};
  TimingLimits limits = no_limits(2);
  limits.torque = {1.0, 1.0};
  const LeastMotion weak = least_motion(model, from, to, limits);
  EXPECT_FALSE(weak.possible());
  EXPECT_NE(weak.timing.reason.find("torque"), std::string::npos) << weak.timing.reason;
  limits.torque = {400.0, 200.0};
  const LeastMotion hurried = least_motion(model, from, to, limits, {.least = LeastOf::torque, .duration = 0.01});
  EXPECT_FALSE(hurried.possible());
  EXPECT_NE(hurried.timing.reason.find("least time"), std::string::npos) << hurried.timing.reason;
  EXPECT_THROW(least_motion(model, from, from, limits), InputError);
  EXPECT_THROW(least_motion(model, from, std::vector{1.0}, limits), InputError);
  EXPECT_THROW(least_motion(model, from, std::vector<double>{1.0, NAN}, limits), InputError);
  EXPECT_THROW(least_motion(model, from, to, no_limits(2)), InputError);
  EXPECT_THROW(least_motion(model, from, to, limits, {.duration = 1.0}), InputError);
  EXPECT_THROW(least_motion(model, from, to, limits, {.least = LeastOf::energy}), InputError);
  EXPECT_THROW(least_motion(model, from, to, limits, {.least = LeastOf::energy, .duration = NAN}), InputError);
  EXPECT_THROW(least_motion(model, from, to, limits, {.intervals = 3}), InputError);
  const Model panda = load("panda_like");
  const std::vector<double> home{0, 0, 0, -1.5, 0, 1.5, 0}, beyond{0, 9, 0, -1.5, 0, 1.5, 0};
  EXPECT_THROW(least_motion(panda, home, beyond, timing_limits(panda)), InputError);
}

}  // namespace
}  // namespace ulna
