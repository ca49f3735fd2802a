// The fastest timing of paths, against closed forms, a linear program and the dynamics themselves.
#include "ulna/plan/fastest_timing.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <ranges>

#include "bar.hpp"
#include "support/differential.hpp"
#include "ulna/base/error.hpp"
#include "ulna/dynamics/newton_euler/newton_euler.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/model/build.hpp"
#include "ulna/model/effort_by_speed.hpp"
#include "ulna/model/random_state.hpp"
#include "ulna/plan/least_motion.hpp"
#include "ulna/plan/timed_motion.hpp"
#include "ulna/plan/tip_path.hpp"
#include "ulna/spatial/lie.hpp"

namespace ulna {
namespace {

constexpr double time_tolerance = 1e-4;  // of a time: what the issue asks for

TEST(FastestTiming, BangBangOfOneJoint) {
  const Model model = bar();
  const std::vector<double> way{0.0, 2.0};
  TimingLimits limits = no_limits(1);
  limits.torque = {0.6};
  const double a = 0.6 * 3.0;  // inertia 1/3
  const Timing bang = fastest_timing(model, Path::straight(way, 1, 0.0), limits);
  ASSERT_TRUE(bang.possible()) << bang.reason;
  EXPECT_NEAR(bang.duration(), 2.0 * std::sqrt(2.0 / a), time_tolerance * bang.duration());
  limits.velocity = {1.0};  // accelerate, go, brake
  const Timing trapezoid = fastest_timing(model, Path::straight(way, 1, 0.0), limits);
  EXPECT_NEAR(trapezoid.duration(), 2.0 / 1.0 + 1.0 / a, time_tolerance * trapezoid.duration());
  limits = no_limits(1);
  limits.acceleration = {3.0};
  EXPECT_NEAR(fastest_timing(model, Path::straight(way, 1, 0.0), limits).duration(), 2.0 * std::sqrt(2.0 / 3.0),
              time_tolerance);
}

/// A bar whose tip stands at 1 m: joint and tip speed are the same number; then an arm in space, by its kinematics.
TEST(FastestTiming, SpeedOfTheTip) {
  Graph graph = load_graph("planar2r");
  graph.gravity = Vec3<double>::zero();
  const Model model = build(graph);
  TimingLimits limits = no_limits(2);
  limits.acceleration = {2.0, 2.0};
  limits.tip_speed = 0.9;  // 2 m from the base when stretched: 0.45 rad/s
  const Timing turn = fastest_timing(model, Path::straight(std::vector<double>{0.0, 0.0, 1.0, 0.0}, 2, 0.0), limits);
  ASSERT_TRUE(turn.possible()) << turn.reason;
  EXPECT_NEAR(turn.duration(), 1.0 / 0.45 + 0.45 / 2.0, time_tolerance * turn.duration());
  const Model panda = load("panda_like");
  TimingLimits careful = timing_limits(panda);
  careful.tip_speed = 0.25;
  const std::vector<double> way{0, 0, 0, -1.5, 0, 1.5, 0, 1, 0.3, 0, -1, 0.4, 1.8, 0};
  const Path path = Path::spline(way, 7);
  const Timing slow = fastest_timing(panda, path, careful);
  ASSERT_TRUE(slow.possible()) << slow.reason;
  Kinematics<double> kinematics(panda);
  std::vector<double> q(7), first(7), second(7);
  double fastest = 0.0;
  for (std::size_t k = 0; k < slow.acceleration.size(); ++k) {
    path.at(slow.s[k], slow.piece[k], q, first, second);
    for (double& x : first) x *= slow.speed[k];
    kinematics.update_positions(q);
    kinematics.update_velocities(first);
    fastest = std::max(fastest, norm(kinematics.velocity(panda.tip(), Reference::world_axes).linear));
  }
  EXPECT_LE(fastest, 0.25 * (1.0 + 1e-9));
  EXPECT_GE(fastest, 0.25 * (1.0 - 1e-6));  // it is what limits
  limits.tip_speed = -1.0;
  EXPECT_THROW(FastestTiming(model, limits), InputError);
}

/// A slide lifts a mass m: up it may accelerate by F/m − g, and brake by F/m + g at most, where the joint's own limit
/// is beyond that. Then an arm in space, whose force is that of its kinematics, between grid points too.
TEST(FastestTiming, ForceAtTheTip) {
  const Model lift = build(parse_toml(R"(
gravity = [0, 0, -9.81]
[[body]]
name = "fork"
mass = 4
com = [0, 0, 0]
inertia = [0.1, 0.1, 0.1]
[[joint]]
name = "lift"
kind = "prismatic"
axis = [0, 0, 1]
parent = "base"
child = "fork"
)",
                                      "lift.toml"));
  TimingLimits limits = no_limits(1);
  limits.acceleration = {100.0};
  limits.tip_mass = 2.0;
  limits.tip_force = 25.0;
  // A polygon's side lies across e₁: nothing is given away but by its distance from the centre.
  const double given = std::cos(std::numbers::pi / 32.0);
  const double up = 12.5 * given - 9.81, down = 12.5 * given + 9.81, v = std::sqrt(2.0 * 0.8 / (1.0 / up + 1.0 / down));
  const Path rise = Path::straight(std::vector<double>{0.0, 0.8}, 1, 0.0);
  EXPECT_NEAR(fastest_timing(lift, rise, limits).duration(), v / up + v / down, time_tolerance);
  limits.tip_force = 19.0;  // less than its weight
  const Timing none = fastest_timing(lift, rise, limits);
  EXPECT_FALSE(none.possible());
  EXPECT_NE(none.reason.find("the force at the tip"), std::string::npos) << none.reason;

  const Model panda = load("panda_like");
  TimingLimits careful = timing_limits(panda);
  careful.tip_mass = 1.5;
  careful.tip_force = 22.0;
  const std::vector<double> way{0,   0,   0, -1.5, 0,   1.5, 0,    1,   0.3, 0,  -1,
                                0.4, 1.8, 0, 0.4,  0.5, 0.3, -1.3, 0.1, 1.2, 0.5};
  const Path path = Path::spline(way, 7);
  const Timing timing = fastest_timing(panda, path, careful);
  ASSERT_TRUE(timing.possible()) << timing.reason;
  EXPECT_GT(timing.duration(), 1.05 * fastest_timing(panda, path, timing_limits(panda)).duration());
  Kinematics<double> kinematics(panda);
  std::vector<double> q(7), first(7), second(7), v7(7), a7(7);
  double most = 0.0;
  for (int k = 1; k < 5000; ++k) {
    const Timing::Place at = timing.at(timing.duration() * k / 5000.0);
    path.at(at.s, timing.piece[at.interval], q, first, second);
    for (std::size_t j = 0; j < 7; ++j) {
      v7[j] = first[j] * at.speed;
      a7[j] = first[j] * at.acceleration + second[j] * at.speed * at.speed;
    }
    kinematics.update_positions(q);
    kinematics.update_velocities(v7);
    kinematics.update_accelerations(v7, a7);
    const Vec3<double> a = kinematics.acceleration(panda.tip(), Reference::world_axes).linear;
    most = std::max(most, 1.5 * norm(a - panda.gravity()));
  }
  EXPECT_LE(most, 22.0 * 1.002);
  EXPECT_GE(most, 22.0 * (given - 1e-3));  // it is what limits
  careful.tip_mass = 0.0;
  EXPECT_THROW(FastestTiming(panda, careful), InputError);
  careful.tip_mass = 1.5;
  careful.jerk.assign(7, 100.0);
  EXPECT_THROW(FastestTiming(panda, careful), InputError);
  careful.jerk.clear();
  EXPECT_THROW(least_motion(panda, std::span(way).first(7), std::span(way).subspan(7, 7), careful), InputError);
}

/// A wheel turns on the spot: what it carries off its axis takes m r √(ω⁴ + α²), though its tip stands still.
TEST(FastestTiming, ForceOnALoadBesideTheTip) {
  const Model wheel = build(parse_toml(R"(
gravity = [0, 0, 0]
tip = "hub"
[[body]]
name = "hub"
mass = 1
com = [0, 0, 0]
inertia = [0.1, 0.1, 0.1]
[[joint]]
name = "axle"
kind = "revolute"
axis = [0, 0, 1]
parent = "base"
child = "hub"
)",
                                       "wheel.toml"));
  TimingLimits limits = no_limits(1);
  limits.acceleration = {5.0};
  limits.tip_mass = 2.0;
  limits.tip_com = {0.3, 0.4, 0.0};
  limits.tip_force = 9.0;  // ω² ≤ 9 where nothing accelerates
  const Path turn = Path::straight(std::vector<double>{0.0, 20.0}, 1, 0.0);
  const Timing timing = fastest_timing(wheel, turn, limits);
  ASSERT_TRUE(timing.possible()) << timing.reason;
  EXPECT_NEAR(*std::max_element(timing.speed.begin(), timing.speed.end()), 3.0, 3.0 * 0.005);
  double most = 0.0;
  for (std::size_t k = 0; k < timing.acceleration.size(); ++k)
    for (const double speed : {timing.speed[k], timing.speed[k + 1]})
      most = std::max(most, std::hypot(speed * speed, timing.acceleration[k]));
  EXPECT_LE(most, 9.0 * (1.0 + 1e-9));
  EXPECT_GE(most, 9.0 * std::cos(std::numbers::pi / 32.0) * (1.0 - 1e-9));
  limits.tip_com.x = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(FastestTiming(wheel, limits), InputError);
}

/// A tip on a line while its wrist turns: it bends in no direction but by rounding, however large its numbers are.
TEST(FastestTiming, ForceAlongALineOfASpline) {
  const Model slide = build(parse_toml(R"(
gravity = [0, 0, 0]
[[body]]
name = "cart"
mass = 1
com = [0, 0, 0]
inertia = [0.1, 0.1, 0.1]
[[joint]]
name = "rail"
kind = "prismatic"
axis = [1, 2, 3]
parent = "base"
child = "cart"
[[body]]
name = "hand"
mass = 1
com = [0, 0, 0]
inertia = [0.1, 0.1, 0.1]
[[joint]]
name = "wrist"
kind = "revolute"
parent = "cart"
child = "hand"
)",
                                       "slide.toml"));
  TimingLimits limits = no_limits(2);
  limits.acceleration = {1.0, 1.0};
  limits.tip_mass = 1e9;
  limits.tip_force = 10.0;
  const double most = 1e-8 * std::cos(std::numbers::pi / 32.0);
  const Path path = Path::spline(std::vector<double>{0.0, 0.0, 0.3, 0.5, 0.6, 0.1, 1.0, 0.4}, 2);
  const Timing timing = fastest_timing(slide, path, limits, {4000});  // u is constant in each: an error of second order
  ASSERT_TRUE(timing.possible()) << timing.reason;
  EXPECT_NEAR(timing.duration(), 2.0 / std::sqrt(most), time_tolerance * 2.0 / std::sqrt(most));
}

/// Across the weight: no speed makes what is too heavy lighter, and the reason says what is.
TEST(FastestTiming, LoadTooHeavyToBeMovedAside) {
  Graph graph = load_graph("planar2r");
  graph.gravity = {0.0, 0.0, -9.81};
  const Model lying = build(graph);
  TimingLimits limits = no_limits(2);
  limits.acceleration = {5.0, 5.0};
  limits.tip_mass = 2.0;
  limits.tip_force = 19.0;  // less than its weight
  const Path path = Path::straight(std::vector<double>{0.0, 0.5, 1.0, 1.0}, 2, 0.0);
  const Timing timing = fastest_timing(lying, path, limits);
  EXPECT_FALSE(timing.possible());
  EXPECT_NE(timing.reason.find("the force at the tip"), std::string::npos) << timing.reason;
}

/// Coulomb friction takes from the torque on the way up and helps to brake.
TEST(FastestTiming, FrictionOfOneJoint) {
  TimingLimits limits = no_limits(1);
  limits.torque = {0.6};
  const Timing timing = fastest_timing(bar(0.2), Path::straight(std::vector<double>{0.0, 2.0}, 1, 0.0), limits);
  ASSERT_TRUE(timing.possible());
  const double up = (0.6 - 0.2) * 3.0, down = (0.6 + 0.2) * 3.0;
  // v²/2up + v²/2down = 2
  const double v = std::sqrt(4.0 / (1.0 / up + 1.0 / down));
  // At rest friction is zero: the last interval of a thousand brakes with less.
  EXPECT_NEAR(timing.duration(), v / up + v / down, 1e-3 * timing.duration());
  // Viscous: the same at every grid point by the equation of motion.
  const Model wet = bar(0.0, 0.3);
  const Path path = Path::straight(std::vector<double>{0.0, 2.0}, 1, 0.0);
  const Timing slow = fastest_timing(wet, path, limits);
  ASSERT_TRUE(slow.possible());
  for (std::size_t k = 0; k < slow.acceleration.size(); ++k)
    EXPECT_LE(std::abs(slow.acceleration[k] / 3.0 + 0.3 * slow.speed[k]), 0.6 * (1 + 1e-6)) << k;
}

TEST(FastestTiming, TheSlowestOfTwoJointsDecides) {
  const Model model = load("planar2r");
  TimingLimits limits = no_limits(2);
  limits.acceleration = {2.0, 5.0};
  const Timing timing = fastest_timing(model, Path::straight(std::vector<double>{0, 0, 1.0, -1.0}, 2, 0.0), limits);
  EXPECT_NEAR(timing.duration(), 2.0 * std::sqrt(1.0 / 2.0), time_tolerance);
  // a corner without an error is a rest
  const Timing rests =
      fastest_timing(model, Path::straight(std::vector<double>{0, 0, 1.0, 0, 1.0, 1.0}, 2, 0.0), limits);
  EXPECT_NEAR(rests.duration(), 2.0 * std::sqrt(1.0 / 2.0) + 2.0 * std::sqrt(1.0 / 5.0), time_tolerance);
  const Timing blended =
      fastest_timing(model, Path::straight(std::vector<double>{0, 0, 1.0, 0, 1.0, 1.0}, 2, 0.05), limits);
  EXPECT_LT(blended.duration(), rests.duration());
}

// ---- what a timing asks of the motors

struct Effort {
  double torque = 0.0, velocity = 0.0, acceleration = 0.0;  // the largest parts of the limits
};

Effort effort_at(const Model& model, const Path& path, const TimingLimits& limits, std::size_t piece, double s,
                 double speed, double u) {
  const auto n = static_cast<std::size_t>(model.nv());
  std::vector<double> q(n), first(n), second(n), v(n), a(n), tau(n);
  path.at(s, piece, q, first, second);
  for (std::size_t j = 0; j < n; ++j) {
    v[j] = first[j] * speed;
    a[j] = first[j] * u + second[j] * speed * speed;
  }
  newton_euler::Workspace<double> workspace(model);
  newton_euler::inverse_dynamics<double>(model, workspace, q, v, a, tau);
  Effort effort;
  for (std::size_t j = 0; j < n; ++j) {
    effort.torque = std::max(effort.torque, std::abs(tau[j]) / limits.torque[j]);
    effort.velocity = std::max(effort.velocity, std::abs(v[j]) / limits.velocity[j]);
    effort.acceleration = std::max(effort.acceleration, std::abs(a[j]) / limits.acceleration[j]);
  }
  return effort;
}

/// Over the whole motion, `parts` places within each interval, its ends included.
double most_effort(const Model& model, const Path& path, const TimingLimits& limits, const Timing& timing, int parts) {
  double most = 0.0;
  for (std::size_t k = 0; k < timing.acceleration.size(); ++k)
    for (int part = 0; part <= parts; ++part) {
      const double u = timing.acceleration[k], way = (timing.s[k + 1] - timing.s[k]) * part / parts;
      const double speed = std::sqrt(std::max(timing.speed[k] * timing.speed[k] + 2.0 * u * way, 0.0));
      const Effort here = effort_at(model, path, limits, timing.piece[k], timing.s[k] + way, speed, u);
      most = std::max({most, here.torque, here.velocity, here.acceleration});
    }
  return most;
}

/// Whether motors hold the arm still everywhere on a path: then it can be followed, if slowly.
bool holds_still(const Model& model, const Path& path, const TimingLimits& limits) {
  constexpr int samples = 100;
  for (std::size_t p = 0; p < path.piece_count(); ++p) {
    const double begin = path.ends()[p], end = path.ends()[p + 1];
    for (int k = 0; k <= samples; ++k)
      if (effort_at(model, path, limits, p, begin + (end - begin) * k / samples, 0.0, 0.0).torque > 1.0) return false;
  }
  return true;
}

/// Ten thousand: each is solved or rightly called impossible, and no limit is broken.
TEST(FastestTiming, RandomPathsKeepTheirLimits) {
  for (const char* name : {"panda_like", "ur5_like", "kuka_lwr4", "puma560"}) {
    SCOPED_TRACE(name);
    const Model model = load(name);
    TimingLimits limits = timing_limits(model);
    for (double& a : limits.acceleration) a = 15.0;
    for (double& torque : limits.torque) torque = std::isfinite(torque) ? torque : 200.0;
    FastestTiming coarse(model, limits, {.intervals = 100}), fine(model, limits);
    std::mt19937_64 generator(25);
    int possible = 0;
    for (int round = 0; round < 2500; ++round) {
      std::vector<double> waypoints;
      for (int k = 0; k < 5; ++k) {
        const std::vector<double> q = random_position(model, generator);
        for (const double x : q) waypoints.push_back(0.4 * x);
      }
      const auto width = static_cast<std::size_t>(model.nv());
      const Path path = round % 2 == 0 ? Path::spline(waypoints, width) : Path::straight(waypoints, width, 0.05);
      const bool is_fine = round % 50 < 2;
      const Timing timing = is_fine ? fine(path) : coarse(path);
      if (!timing.possible()) {
        EXPECT_FALSE(holds_still(model, path, limits)) << timing.reason;
        continue;
      }
      ++possible;
      const double most = most_effort(model, path, limits, timing, 1);
      EXPECT_LE(most, 1.0 + 1e-6);
      EXPECT_GE(most, 1.0 - 1e-6);  // some limit is always reached: else it could be faster
      if (is_fine) {
        EXPECT_LE(most_effort(model, path, limits, timing, 4), 1.0 + 1e-3);
      }
    }
    EXPECT_GT(possible, 1500);
  }
}

/// A bar of inertia J by a motor whose torque falls from T to nothing at the speed w: it runs up along
/// v = w (1 − exp(−t/c)), c = J w / T, and brakes with T. In an interval s̈ is what the faster of its ends allows, which
/// loses time in first order of its length, near h log h because speed grows as a root at the start, and gains none.
TEST(FastestTiming, TorqueThatFallsWithTheSpeed) {
  constexpr double inertia = 1.0 / 3.0, torque = 0.6, fastest = 1.5, way = 2.0;
  Graph graph = bar_graph();
  graph.joints[0].limits.effort = torque;
  graph.joints[0].limits.effort_by_speed = {{0.0, torque}, {fastest, 0.0}};
  const Model model = build(graph);
  const Path path = Path::straight(std::vector<double>{0.0, way}, 1, 0.0);
  const double c = inertia * fastest / torque;
  double low = 0.0, high = 100.0;  // when it begins to brake
  for (int k = 0; k < 200; ++k) {
    const double t = 0.5 * (low + high), v = fastest * (1.0 - std::exp(-t / c));
    (fastest * t - c * v + v * v * inertia / (2.0 * torque) < way ? low : high) = t;
  }
  const double best = low + fastest * (1.0 - std::exp(-low / c)) * inertia / torque;
  const auto loss = [&](int intervals) {
    const Timing timing = fastest_timing(model, path, timing_limits(model), {.intervals = intervals});
    EXPECT_TRUE(timing.possible()) << timing.reason;
    return timing.duration() / best - 1.0;
  };
  const double coarse = loss(1000), fine = loss(4000);
  EXPECT_GE(fine, -1e-9);
  EXPECT_LE(coarse, 1e-3);
  EXPECT_LE(fine, 0.4 * coarse);
  TimingLimits given = timing_limits(model);
  given.torque = {0.61};  // instead of the robot's: all that holds
  const double bang = 2.0 * std::sqrt(way * inertia / 0.61);
  EXPECT_NEAR(fastest_timing(model, path, given).duration(), bang, time_tolerance * bang);
}

/// Lines that bend both ways, on every joint of an arm with weight and friction: at the ends of the intervals no torque
/// with the motion is above what the speed leaves, and some limit is reached.
TEST(FastestTiming, TorquesOfAnArmStayBelowTheirLines) {
  Graph graph = load_graph("planar2r");
  graph.gravity = {0, -9.81, 0};
  for (GraphJoint& joint : graph.joints) {
    joint.passive.viscous = 0.3;
    joint.limits.effort = 40.0;
    joint.limits.effort_by_speed = {{0.0, 40.0}, {0.5, 38.0}, {1.0, 24.0}, {2.0, 14.0}, {4.0, 0.0}};
  }
  const Model model = build(graph);
  FastestTiming fastest(model, timing_limits(model));
  newton_euler::Workspace<double> ws(model);
  std::mt19937_64 generator(5);
  int possible = 0;
  for (int round = 0; round < 40; ++round) {
    std::vector<double> waypoints;
    for (int k = 0; k < 8; ++k) waypoints.push_back(std::uniform_real_distribution<double>(-1.0, 1.0)(generator));
    const Path path = Path::spline(waypoints, 2);
    const Timing timing = fastest(path);
    if (!timing.possible()) continue;
    ++possible;
    double most = 0.0;
    std::vector<double> q(2), slope(2), bend(2), v(2), a(2), tau(2);
    for (std::size_t k = 0; k < timing.acceleration.size(); ++k) {
      for (const std::size_t end : {k, k + 1}) {
        path.at(timing.s[end], timing.piece[k], q, slope, bend);
        const double speed = timing.speed[end];
        for (std::size_t j = 0; j < 2; ++j) {
          v[j] = slope[j] * speed;
          a[j] = slope[j] * timing.acceleration[k] + bend[j] * speed * speed;
        }
        newton_euler::inverse_dynamics(model, ws, q, v, a, tau);
        for (std::size_t j = 0; j < 2; ++j) {
          const double sign = v[j] < 0.0 ? -1.0 : 1.0;
          const double with = effort_at(model.joints()[j].limits, sign * v[j]);
          most = std::max({most, sign * tau[j] / with, -sign * tau[j] / 40.0});
        }
      }
    }
    EXPECT_LE(most, 1.0 + 1e-6);
    EXPECT_GE(most, 1.0 - 1e-6);
  }
  EXPECT_GT(possible, 20);
}

/// Two motors that turn by 50 (pitch ± roll). Along pitch alone the rotors' difference pulls at roll: with
/// τ = (0.125, 0.025) a the first motor gives (0.125 + 0.025) a / 100, at 50 q̇; the second is strong enough.
TEST(FastestTiming, MotorsThatJointsShare) {
  const Model model = build(parse_toml(test::differential(test::bevel), "wrist.toml"));
  const std::vector<double> way{0.0, 0.0, 1.0, 0.0};
  const Timing timing = fastest_timing(model, Path::straight(way, 2, 0.0), timing_limits(model));
  ASSERT_TRUE(timing.possible()) << timing.reason;
  const double acceleration = 0.1 * 100.0 / 0.15, speed = 200.0 / 50.0;
  EXPECT_NEAR(timing.duration(), 1.0 / speed + speed / acceleration, time_tolerance * timing.duration());
}

/// A bar of inertia J by a motor of torque τ and power P: τ up to the speed P/τ, then t = t₁ + J (v² − v₁²)/2P. Halfway
/// it brakes the same way.
TEST(FastestTiming, PowerOfOneJoint) {
  const Model model = bar();
  const double inertia = 1.0 / 3.0, torque = 2.0, power = 3.0, half = 1.5;
  TimingLimits limits = no_limits(1);
  limits.torque = {torque};
  limits.power = {power};
  const Timing timing =
      fastest_timing(model, Path::straight(std::vector<double>{0.0, 2.0 * half}, 1, 0.0), limits, {.intervals = 4000});
  ASSERT_TRUE(timing.possible()) << timing.reason;
  const double v1 = power / torque, t1 = inertia * v1 / torque, s1 = 0.5 * v1 * t1;
  // v² = v₁² + 2P(t − t₁)/J, and s = s₁ + J (v³ − v₁³)/3P
  const double v = std::cbrt(v1 * v1 * v1 + 3.0 * power * (half - s1) / inertia);
  const double closed = 2.0 * (t1 + 0.5 * inertia * (v * v - v1 * v1) / power);
  EXPECT_NEAR(timing.duration(), closed, time_tolerance * closed);
}

/// Nothing but power limits the motion, which costs none at rest: with gravity, the weaker it is the slower, until the
/// time is what lifting takes.
TEST(FastestTiming, PowerAloneForbidsNothing) {
  const Model model = load("planar2r");
  TimingLimits limits = no_limits(2);
  const Path path = Path::straight(std::vector<double>{0, 0, 1, 1}, 2, 0.0);
  double before = 0.0;
  for (const double power : {1e2, 1e1, 1.0, 1e-2, 1e-4, 1e-6}) {
    limits.power = {power, power};
    const Timing timing = fastest_timing(model, path, limits);
    ASSERT_TRUE(timing.possible()) << power << ": " << timing.reason;
    EXPECT_GT(timing.duration() * power, 0.0);
    EXPECT_GT(timing.duration(), before);
    if (power < 1e-3) {
      EXPECT_NEAR(timing.duration() * power, before * power * 100.0, 1e-3 * timing.duration() * power);
    }
    before = timing.duration();
  }
}

/// Of an arm with gravity and friction: no joint takes more, the motion is slower than without and each round of
/// tangents has ended where something is at its limit.
TEST(FastestTiming, PowerOfAnArm) {
  const Model model = load("panda_like");
  TimingLimits limits = timing_limits(model);
  std::mt19937_64 generator(26);
  for (int round = 0; round < 20; ++round) {
    std::vector<double> waypoints;
    for (int k = 0; k < 3; ++k)
      for (const double x : random_position(model, generator)) waypoints.push_back(0.3 * x);
    const Path path = Path::spline(waypoints, 7);
    limits.power.clear();
    const double free = fastest_timing(model, path, limits).duration();
    limits.power.assign(7, 30.0);
    const Timing timing = fastest_timing(model, path, limits);
    ASSERT_TRUE(timing.possible()) << timing.reason;
    EXPECT_GE(timing.duration(), free * (1.0 - 1e-9));
    EXPECT_LE(most_effort(model, path, limits, timing, 1), 1.0 + 1e-6);
    const TimedMotion motion = timed_motion(model, path, timing, 1e-3);
    for (std::size_t k = 0; k < motion.count(); ++k)
      for (std::size_t j = 0; j < 7; ++j) {
        const double* row = &motion.rows[k * motion.width];
        EXPECT_LE(std::abs(row[8 + j] * row[22 + j]), 30.0 * (1.0 + 2e-3));
      }
  }
}

/// Refining the grid changes the time in second order.
TEST(FastestTiming, ConvergesWithTheGrid) {
  const Model model = load("panda_like");
  const std::vector<double> waypoints{0,   0,   0,   -1.5, 0, 1.5, 0,  0.5, 0.3, 0.2, -1.0,
                                      0.4, 1.8, 0.3, 1,    0, 0,   -2, 0,   2,   1};
  const Path path = Path::spline(waypoints, 7);
  const auto duration = [&](int intervals) {
    return fastest_timing(model, path, timing_limits(model), {.intervals = intervals}).duration();
  };
  EXPECT_NEAR(duration(1000), duration(8000), 1e-3 * duration(8000));
}

// ---- a linear program of its own: the sum of all x is largest where each is

/// max Σ z, A z ≤ b with b ≥ 0 and z ≥ 0, by the simplex method with Bland's rule.
std::vector<double> simplex(std::vector<std::vector<double>> A, std::vector<double> b) {
  const std::size_t m = A.size(), n = A[0].size();
  std::vector<double> cost(n, -1.0);
  std::vector<std::size_t> basis(m);
  for (std::size_t r = 0; r < m; ++r) {
    basis[r] = n + r;
    A[r].resize(n + m, 0.0);
    A[r][n + r] = 1.0;
  }
  cost.resize(n + m, 0.0);
  for (;;) {
    std::size_t enter = 0;
    while (enter < n + m && cost[enter] > -1e-9) ++enter;
    if (enter == n + m) break;
    std::size_t leave = m;
    for (std::size_t r = 0; r < m; ++r) {
      if (A[r][enter] < 1e-11) continue;
      const double ratio = b[r] / A[r][enter];
      if (leave == m || ratio < b[leave] / A[leave][enter] - 1e-13 ||
          (ratio < b[leave] / A[leave][enter] + 1e-13 && basis[r] < basis[leave]))
        leave = r;
    }
    if (leave == m) return {};
    const double pivot = A[leave][enter];
    for (double& x : A[leave]) x /= pivot;
    b[leave] /= pivot;
    const auto eliminate = [&](std::vector<double>& row, double& right) {
      const double factor = row[enter];
      if (factor == 0.0) return;
      for (std::size_t k = 0; k < row.size(); ++k) row[k] -= factor * A[leave][k];
      right -= factor * b[leave];
    };
    for (std::size_t r = 0; r < m; ++r)
      if (r != leave) eliminate(A[r], b[r]);
    double total = 0.0;
    eliminate(cost, total);
    basis[leave] = enter;
  }
  std::vector<double> z(n);
  for (std::size_t r = 0; r < m; ++r)
    if (basis[r] < n) z[basis[r]] = b[r];
  return z;
}

TEST(FastestTiming, AgreesWithADenseLinearProgram) {
  const Model model = load("planar2r");
  TimingLimits limits = no_limits(2);
  limits.torque = {80.0, 30.0};
  limits.velocity = {4.0, 4.0};
  const Path path = Path::spline(std::vector<double>{0.2, 0.3, 0.8, -0.4, 1.4, 0.9}, 2);
  const Timing timing = fastest_timing(model, path, limits, {.intervals = 24});
  ASSERT_TRUE(timing.possible()) << timing.reason;
  const std::size_t count = timing.acceleration.size();
  std::vector<std::vector<double>> A;
  std::vector<double> b;
  newton_euler::Workspace<double> workspace(model);
  const std::vector<double> zero(2);
  // z are x at the inner ends; x is zero at the outer ones
  const auto coefficient = [&](std::vector<double>& row, std::size_t end, double value) {
    if (end > 0 && end < count) row[end - 1] += value;
  };
  for (std::size_t k = 0; k < count; ++k) {
    const double length = timing.s[k + 1] - timing.s[k];
    for (const std::size_t end : {k, k + 1}) {
      std::vector<double> q(2), first(2), second(2), m(2), c(2), g(2), v(2);
      path.at(timing.s[end], timing.piece[k], q, first, second);
      newton_euler::inverse_dynamics<double>(model, workspace, q, zero, zero, g);
      newton_euler::inverse_dynamics<double>(model, workspace, q, zero, first, m);
      newton_euler::inverse_dynamics<double>(model, workspace, q, first, second, c);
      for (std::size_t j = 0; j < 2; ++j) {
        for (const double sign : {1.0, -1.0}) {
          std::vector<double> row(count - 1);
          const double of_u = sign * (m[j] - g[j]) / (2.0 * length);
          coefficient(row, k + 1, of_u);
          coefficient(row, k, -of_u);
          coefficient(row, end, sign * (c[j] - g[j]));
          A.push_back(row);
          b.push_back(limits.torque[j] - sign * g[j]);
          ASSERT_GE(b.back(), 0.0);  // it can rest anywhere
        }
        std::vector<double> row(count - 1);
        coefficient(row, end, first[j] * first[j]);
        A.push_back(row);
        b.push_back(limits.velocity[j] * limits.velocity[j]);
      }
    }
  }
  const std::vector<double> z = simplex(A, b);
  ASSERT_EQ(z.size(), count - 1);
  for (std::size_t k = 0; k + 1 < count; ++k)
    EXPECT_NEAR(timing.speed[k + 1] * timing.speed[k + 1], z[k], 1e-6 * (1.0 + z[k])) << k;
}

TEST(FastestTiming, SaysWhyNot) {
  const Model model = load("planar2r");
  TimingLimits limits = no_limits(2);
  limits.torque = {1.0, 1.0};  // cannot hold itself stretched out
  const Timing timing = fastest_timing(model, Path::straight(std::vector<double>{0, 0, 0.5, 0.5}, 2, 0.0), limits);
  EXPECT_FALSE(timing.possible());
  EXPECT_NE(timing.reason.find("torque"), std::string::npos) << timing.reason;
  EXPECT_THROW(fastest_timing(model, Path::straight(std::vector<double>{0, 1}, 1, 0.0), limits), InputError);
  EXPECT_THROW(fastest_timing(model, Path::straight(std::vector<double>{0, 0, 1, 1}, 2, 0.0), no_limits(2)),
               InputError);
  limits.torque[0] = -1.0;
  EXPECT_THROW(FastestTiming(model, limits), InputError);
  EXPECT_THROW(Path::spline(std::vector<double>{0, 0, 0, 0}, 2), InputError);
  EXPECT_THROW(Path::spline(std::vector<double>{0, 0}, 2), InputError);
  EXPECT_THROW(Path::straight(std::vector<double>{0, 0, 1, NAN}, 2, 0.1), InputError);
  EXPECT_THROW(Path::straight(std::vector<double>{0, 0, 1, 1}, 2, -0.1), InputError);
  const Model satellite = load("satellite_arm");
  EXPECT_THROW(FastestTiming(satellite, timing_limits(satellite)), InputError);
}

// ---- paths

TEST(Path, GoesThroughItsWaypointsAndKeepsItsError) {
  const std::vector<double> waypoints{0, 0, 1, 0, 1, 1, 3, 1};
  std::vector<double> q(2), first(2), second(2);
  const Path spline = Path::spline(waypoints, 2);
  for (std::size_t k = 0; k < 4; ++k) {
    spline.at(spline.ends()[k], std::min<std::size_t>(k, 2), q, first, second);
    EXPECT_NEAR(q[0], waypoints[2 * k], 1e-12);
    EXPECT_NEAR(q[1], waypoints[2 * k + 1], 1e-12);
  }
  const double error = 0.03;
  const Path cut = Path::straight(waypoints, 2, error);
  double nearest = 1.0;
  for (std::size_t p = 0; p < cut.piece_count(); ++p) {
    std::vector<double> next(2), slope(2), curve(2);
    if (p + 1 < cut.piece_count()) {  // position and direction go on
      cut.at(cut.ends()[p + 1], p, q, first, second);
      cut.at(cut.ends()[p + 1], p + 1, next, slope, curve);
      for (std::size_t j = 0; j < 2; ++j) {
        EXPECT_NEAR(q[j], next[j], 1e-12);
        EXPECT_NEAR(first[j], slope[j], 1e-12);
      }
    }
    for (int k = 0; k <= 20; ++k) {
      cut.at(cut.ends()[p] + (cut.ends()[p + 1] - cut.ends()[p]) * k / 20, p, q, first, second);
      nearest = std::min(nearest, std::hypot(q[0] - 1.0, q[1]));
    }
  }
  EXPECT_NEAR(nearest, error, 1e-12);
  EXPECT_NEAR(cut.length(), 4.0, 1e-12);
}

// ---- in space

TEST(TipPath, StaysOnItsLine) {
  const Model model = load("panda_like");
  const std::vector<double> start{0.1, 0.2, 0.1, -1.8, 0.1, 2.0, 0.3};
  Kinematics<double> kinematics(model);
  kinematics.update_positions(start);
  const Pose<double> from = kinematics.pose(model.tip());
  Pose<double> to = from, third = from;
  to.p = from.p + Vec3<double>{0.0, 0.2, 0.1};
  to.R = from.R * exp_rotation(Vec3<double>{0.0, 0.0, 0.5});
  third.p = to.p + Vec3<double>{-0.1, 0.0, 0.1};
  third.R = to.R;
  const TipPath followed = straight_tip_path(model, model.tip(), std::array{from, to, third}, start);
  ASSERT_TRUE(followed.path) << followed.reason;
  const Path& path = *followed.path;
  EXPECT_EQ(std::ranges::count_if(std::views::iota(std::size_t{0}, path.ends().size()),
                                  [&](std::size_t k) { return path.rests(k); }),
            1);
  std::vector<double> q(7), first(7), second(7);
  const Vec3<double> way = (1.0 / norm(to.p - from.p)) * (to.p - from.p);
  const std::size_t seam = path.piece_count() / 2;
  for (std::size_t piece = 0; piece < seam; ++piece)
    for (const double part : {0.0, 0.3, 0.5, 0.9}) {
      path.at(path.ends()[piece] + part * (path.ends()[piece + 1] - path.ends()[piece]), piece, q, first, second);
      kinematics.update_positions(q);
      // a natural spline is off by a few micrometres next to its ends
      EXPECT_LE(norm(cross(way, kinematics.pose(model.tip()).p - from.p)), 2e-5);
    }
  path.at(path.length(), path.piece_count() - 1, q, first, second);
  kinematics.update_positions(q);
  EXPECT_LE(norm(kinematics.pose(model.tip()).p - third.p), 2e-6);
  const Timing timing = fastest_timing(model, path, timing_limits(model));
  ASSERT_TRUE(timing.possible()) << timing.reason;
  EXPECT_LE(most_effort(model, path, timing_limits(model), timing, 1), 1.0 + 1e-6);
}

TEST(TipPath, SaysWhereItEnds) {
  const Model model = load("panda_like");
  const std::vector<double> start{0.1, 0.2, 0.1, -1.8, 0.1, 2.0, 0.3};
  Kinematics<double> kinematics(model);
  kinematics.update_positions(start);
  const Pose<double> from = kinematics.pose(model.tip());
  Pose<double> far = from;
  far.p.x += 2.0;
  const TipPath out = straight_tip_path(model, model.tip(), std::array{from, far}, start);
  EXPECT_FALSE(out.path);
  EXPECT_GT(out.share, 0.0);
  EXPECT_LT(out.share, 0.5);
  EXPECT_FALSE(out.reason.empty());
  EXPECT_THROW(straight_tip_path(model, model.tip(), std::array{from, from}, start), InputError);
  EXPECT_THROW(straight_tip_path(model, model.tip(), {&from, 1}, start), InputError);
}

TEST(Timing, GoesOnWithoutJumps) {
  TimingLimits limits = no_limits(1);
  limits.torque = {0.6};
  const Timing timing = fastest_timing(bar(), Path::straight(std::vector<double>{0.0, 2.0}, 1, 0.0), limits);
  double before = 0.0;
  for (int k = 0; k <= 1000; ++k) {
    const Timing::Place place = timing.at(timing.duration() * k / 1000);
    EXPECT_GE(place.s, before - 1e-12);
    before = place.s;
  }
  EXPECT_NEAR(before, 2.0, 1e-12);
  EXPECT_NEAR(timing.at(0.5 * timing.duration()).s, 1.0, 1e-3);
}

}  // namespace
}  // namespace ulna
