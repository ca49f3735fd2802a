// Fastest timings with limits of jerk and torque rate, against the profile of seven segments and the dynamics
// themselves.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "bar.hpp"
#include "ulna/base/error.hpp"
#include "ulna/dynamics/newton_euler/derivatives.hpp"
#include "ulna/dynamics/newton_euler/newton_euler.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/model/random_state.hpp"
#include "ulna/plan/timed_motion.hpp"

namespace ulna {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double time_tolerance = 1e-4;  // as for limits of second order

/// The least time over a way d from rest to rest with speed v, acceleration a and jerk j at most.
double seven_segments(double d, double v, double a, double j) {
  double ramp = std::min(a / j, std::sqrt(v / j));  // of the acceleration
  ramp = std::min(ramp, std::cbrt(0.5 * d / j));
  const double peak = j * ramp;
  // d = V (V/peak + ramp) with V the largest speed, if it stays below v
  const double largest = std::min(v, 0.5 * (std::sqrt(peak * peak * ramp * ramp + 4.0 * peak * d) - peak * ramp));
  return d / largest + largest / peak + ramp;
}

TEST(ThirdOrderTiming, SevenSegmentsOfOneJoint) {
  const Model model = bar();
  struct Case {
    double v, a, j;
  };
  // all seven; without coasting; without constant acceleration; jerk alone
  for (const auto& [v, a, j] :
       {Case{1.0, 2.0, 10.0}, {infinite, 2.0, 10.0}, {0.7, 50.0, 10.0}, {infinite, infinite, 10.0}}) {
    TimingLimits limits = no_limits(1);
    limits.velocity = {v};
    limits.acceleration = {a};
    limits.jerk = {j};
    const Timing timing = fastest_timing(model, Path::straight(std::vector<double>{0.0, 2.0}, 1, 0.0), limits);
    ASSERT_TRUE(timing.possible()) << timing.reason;
    const double closed = seven_segments(2.0, v, a, j);
    EXPECT_NEAR(timing.duration(), closed, time_tolerance * closed) << v << ' ' << a << ' ' << j;
    for (std::size_t k = 0; k < timing.jerk.size(); ++k) EXPECT_LE(std::abs(timing.jerk[k]), j);
  }
  // The torque is J times the acceleration, and so are their rates.
  TimingLimits limits = no_limits(1);
  limits.torque = {2.0 * bar_inertia};
  limits.torque_rate = {10.0 * bar_inertia};
  const Timing timing = fastest_timing(model, Path::straight(std::vector<double>{0.0, 2.0}, 1, 0.0), limits);
  const double closed = seven_segments(2.0, infinite, 2.0, 10.0);
  EXPECT_NEAR(timing.duration(), closed, time_tolerance * closed);
}

TEST(ThirdOrderTiming, RestsInsideThePath) {
  const Model model = load("planar2r");
  TimingLimits limits = no_limits(2);
  limits.acceleration = {2.0, 5.0};
  limits.jerk = {10.0, 20.0};
  const std::vector<double> corners{0, 0, 1.0, 0, 1.0, 1.0};
  const Timing timing = fastest_timing(model, Path::straight(corners, 2, 0.0), limits);
  ASSERT_TRUE(timing.possible()) << timing.reason;
  const double closed = seven_segments(1.0, infinite, 2.0, 10.0) + seven_segments(1.0, infinite, 5.0, 20.0);
  EXPECT_NEAR(timing.duration(), closed, time_tolerance * closed);
  EXPECT_THROW(fastest_timing(model, Path::straight(corners, 2, 0.05), limits), InputError);
}

/// The largest parts of the limits of second and of third order, at `parts` + 1 places of each interval.
struct Parts {
  double second = 0.0, third = 0.0;
};
Parts parts_of(const Model& model, const Path& path, const TimingLimits& limits, const Timing& timing, int parts) {
  const auto n = static_cast<std::size_t>(model.nv());
  const auto motion = make_reference(path, timing);
  newton_euler::Workspace<double> workspace(model);
  newton_euler::DerivativeWorkspace<double> derivatives(model);
  std::vector<double> q(n), v(n), a(n), tau(n), jerk(n), by_q(n * n), by_v(n * n), M(n * n), first(n), second(n),
      end(n);
  Parts most;
  for (std::size_t k = 0; k < timing.jerk.size(); ++k) {
    const double middle = 0.5 * (timing.times[k] + timing.times[k + 1]);
    path.at(path.ends()[timing.piece[k]], timing.piece[k], q, first, second);
    path.at(path.ends()[timing.piece[k] + 1], timing.piece[k], q, first, end);
    const double length = path.ends()[timing.piece[k] + 1] - path.ends()[timing.piece[k]];
    for (int part = 0; part <= parts; ++part) {
      const double t = timing.times[k] + (timing.times[k + 1] - timing.times[k]) * part / parts;
      const Timing::Place place = timing.at(t, middle);
      motion->at(t, middle, q, v, a);
      std::vector<double> here(n), slope(n), curve(n);
      path.at(place.s, timing.piece[k], here, slope, curve);
      const double w = place.speed, u = place.acceleration;
      for (std::size_t j = 0; j < n; ++j)
        jerk[j] = slope[j] * timing.jerk[k] + 3.0 * curve[j] * w * u + (end[j] - second[j]) / length * w * w * w;
      newton_euler::inverse_dynamics<double>(model, workspace, q, v, a, tau);
      const int size = static_cast<int>(n);
      newton_euler::inverse_derivatives<double>(model, derivatives, q, v, a, {by_q.data(), size, size},
                                                {by_v.data(), size, size}, {M.data(), size, size});
      for (std::size_t i = 0; i < n; ++i) {
        double rate = 0.0;
        for (std::size_t j = 0; j < n; ++j)
          rate += by_q[j * n + i] * v[j] + by_v[j * n + i] * a[j] + M[j * n + i] * jerk[j];
        most.second = std::max({most.second, std::abs(tau[i]) / limits.torque[i], std::abs(v[i]) / limits.velocity[i],
                                std::abs(a[i]) / limits.acceleration[i]});
        most.third = std::max({most.third, std::abs(jerk[i]) / limits.jerk[i], std::abs(rate) / limits.torque_rate[i]});
      }
    }
  }
  return most;
}

TEST(ThirdOrderTiming, RandomSplinesKeepTheirLimits) {
  for (const char* name : {"panda_like", "ur5_like", "puma560"}) {
    SCOPED_TRACE(name);
    const Model model = load(name);
    const auto n = static_cast<std::size_t>(model.nv());
    TimingLimits limits = timing_limits(model);
    limits.acceleration.assign(n, 15.0);
    for (double& torque : limits.torque) torque = std::isfinite(torque) ? torque : 200.0;
    limits.jerk.assign(n, 150.0);
    for (const double torque : limits.torque) limits.torque_rate.push_back(20.0 * torque);
    TimingLimits second = limits;
    second.jerk.clear();
    second.torque_rate.clear();
    std::mt19937_64 generator(25);
    int possible = 0;
    for (int round = 0; round < 5; ++round) {
      std::vector<double> waypoints;
      for (int k = 0; k < 4; ++k)
        for (const double x : random_position(model, generator)) waypoints.push_back(0.3 * x);
      const Path path = Path::spline(waypoints, n);
      const Timing fastest = fastest_timing(model, path, second);
      const Timing timing = fastest_timing(model, path, limits);
      EXPECT_EQ(fastest.possible(), timing.possible()) << timing.reason;
      if (!timing.possible()) continue;
      ++possible;
      EXPECT_GE(timing.duration(), fastest.duration() * (1.0 - time_tolerance));
      EXPECT_LE(timing.duration(), 3.0 * fastest.duration());
      for (std::size_t k = 0; k + 1 < timing.s.size(); ++k) ASSERT_LE(timing.s[k], timing.s[k + 1]);
      const Parts most = parts_of(model, path, limits, timing, 6);
      EXPECT_LE(most.second, 1.002);  // what is stated
      EXPECT_LE(most.third, 1.002);
      EXPECT_GE(std::max(most.second, most.third), 0.97);  // something is at its limit, but for the care at corners
    }
    EXPECT_GE(possible, 3);
  }
}

TEST(ThirdOrderTiming, RefusesWhatIsNoLimit) {
  const Model model = bar();
  TimingLimits limits = no_limits(1);
  limits.jerk = {-1.0};
  EXPECT_THROW(FastestTiming(model, limits), InputError);
  limits.jerk = {1.0, 1.0};
  EXPECT_THROW(FastestTiming(model, limits), InputError);
  limits.jerk.clear();
  limits.torque_rate = {NAN};
  EXPECT_THROW(FastestTiming(model, limits), InputError);
}

}  // namespace
}  // namespace ulna
