// Cycles of work and the motors for them, against closed forms of one joint.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <sstream>

#include "support/small_robots.hpp"
#include "ulna/base/error.hpp"
#include "ulna/dynamics/method.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/kinematics/kinematics.hpp"
#include "ulna/study/size/motors.hpp"

namespace ulna::sizing {
namespace {

constexpr double pi = std::numbers::pi;

/// A cart of 2 kg goes 1 m and back by cycloids of T seconds: a = 2π/T² sin(2πt/T), v = (1 − cos)/T.
Cycle there_and_back(double time, double every) {
  Cycle cycle;
  cycle.every = every;
  cycle.start = {0.0};
  cycle.segments.resize(2);
  cycle.segments[0].to = {1.0};
  cycle.segments[1].to = {0.0};
  for (Segment& segment : cycle.segments) segment.time = time;
  return cycle;
}

TEST(Size, CycloidsOfACart) {
  const double T = 0.8;
  const CycleMotion motion = run_cycle(test::slider(2.0), there_and_back(T, 1e-3));
  EXPECT_TRUE(motion.notes.empty());
  EXPECT_NEAR(motion.t.back(), 2 * T, 1e-12);
  const JointDemand cart = demands(motion)[0];
  const double a = 2 * pi / (T * T);
  // Sampled every T/800: a peak is met to the square of half a sample, sums to the square of one.
  EXPECT_NEAR(cart.peak, 2.0 * a, 1e-5 * cart.peak);
  EXPECT_NEAR(cart.rms, 2.0 * a / std::sqrt(2.0), 1e-4 * cart.rms);
  EXPECT_NEAR(cart.speed, 2.0 / T, 1e-5 * cart.speed);
  EXPECT_NEAR(cart.energy, 2.0 * (0.5 * 2.0 * std::pow(2.0 / T, 2)), 1e-4 * cart.energy);  // twice the kinetic energy
  EXPECT_NEAR(cart.net_energy, 0.0, 1e-4 * cart.energy);                                   // which comes back
}

TEST(Size, PayloadsAndForces) {
  // 3 kg at rest at the end of a rod of 1 m and 1 kg, lying: m g l/2 + M g l; and 10 N down on the tip.
  Cycle cycle;
  cycle.segments.resize(1);
  cycle.segments[0].dwell = 0.1;
  const auto torque = [&] { return run_cycle(load_graph("planar2r"), cycle).tau; };
  const double own = torque()[0], own_elbow = torque()[1];
  EXPECT_NEAR(own, 9.81 * (0.5 + 1.5), 1e-9);
  EXPECT_NEAR(own_elbow, 9.81 * 0.5, 1e-9);
  cycle.segments[0].payload = 3.0;
  EXPECT_NEAR(torque()[0] - own, 3.0 * 9.81 * 2.0, 1e-9);
  cycle.segments[0].payload = 0.0;
  cycle.segments[0].force = {0, -10, 0};
  EXPECT_NEAR(torque()[0] - own, 10.0 * 2.0, 1e-9);
  EXPECT_NEAR(torque()[1] - own_elbow, 10.0, 1e-9);
}

/// Along points the tip goes straight and keeps its orientation; torques are those of the motion.
TEST(Size, PointsOfTheTip) {
  const Graph graph = load_graph("panda_like");
  const Model model = build(graph);
  Cycle cycle;
  const std::vector<double> start{0.1, 0.2, 0.1, -1.8, 0.1, 2, 0.3};
  for (const double x : start) cycle.start.push_back(x);
  Kinematics<double> kinematics(model);
  kinematics.update_positions(start);
  const Pose<double> first = kinematics.pose(model.tip());
  cycle.segments.resize(1);
  cycle.segments[0].points = {first.p + Vec3<double>{0, 0.2, 0}, first.p + Vec3<double>{0, 0.2, 0.1}};
  cycle.segments[0].time = 2.0;
  const CycleMotion motion = run_cycle(graph, cycle);
  const auto method = make_method<double>("auto", Quantity::inverse_dynamics, model);
  std::vector<double> tau(7);
  for (std::size_t k = 0; k < motion.t.size(); k += 20) {
    const auto part = [&](const std::vector<double>& x) { return std::span(x).subspan(7 * k, 7); };
    kinematics.update_positions(part(motion.q));
    const Pose<double> pose = kinematics.pose(model.tip());
    EXPECT_NEAR(pose.p.x, first.p.x, 1e-5);  // doc/paths.md: some micrometres off the line
    EXPECT_NEAR(motion.t[k] <= 1.0 ? pose.p.z : pose.p.y - 0.2, motion.t[k] <= 1.0 ? first.p.z : first.p.y, 1e-5);
    method->inverse_dynamics(part(motion.q), part(motion.v), part(motion.a), tau);
    for (std::size_t i = 0; i < 7; ++i) EXPECT_NEAR(motion.tau[7 * k + i], tau[i], 1e-9);
  }
  EXPECT_EQ(motion.notes.size(), 1u);
}

Catalogue catalogue() {
  return parse_catalogue(R"(
[[motor]]
name = "large"
torque = 3
peak_torque = 6
speed = 300
inertia = 1e-4
[[motor]]
name = "small"
torque = 0.3
peak_torque = 1
full_speed = 100
speed = 300
inertia = 1e-5
torque_constant = 0.1
resistance = 2
[[gear]]
ratio = 20
efficiency = 0.8
[[gear]]
ratio = 50
)",
                         "motors.toml");
}

TEST(Size, TorqueOfAMotorByHand) {
  const double T = 0.8, a = 2 * pi / (T * T);
  const CycleMotion motion = run_cycle(test::slider(2.0), there_and_back(T, 1e-3));
  const Catalogue all = catalogue();
  // Behind a lossless gear: (2 kg/50 + 50 · 1e-5) a.
  const MotorDemand lossless = demand_on(motion, 0, 0.0, all, 1, 1);
  EXPECT_NEAR(lossless.peak, (2.0 / 50 + 50 * 1e-5) * a, 1e-5 * lossless.peak);
  EXPECT_NEAR(lossless.rms, lossless.peak / std::sqrt(2.0), 1e-4 * lossless.rms);
  EXPECT_NEAR(lossless.speed, 50 * 2.0 / T, 1e-5 * lossless.speed);
  EXPECT_NEAR(lossless.speed_share, lossless.speed / 300, 1e-12);
  EXPECT_NEAR(lossless.thermal_share, lossless.rms / 0.3, 1e-12);
  // Heat: R (τ/k)² over both ways; the kinetic energy comes back.
  const double heat = 2.0 * std::pow(lossless.rms / 0.1, 2) * 2 * T;
  EXPECT_NEAR(lossless.net_energy, heat, 1e-3 * heat);
  // A lossy one drives with a fifth more and brakes with a fifth less.
  const MotorDemand lossy = demand_on(motion, 0, 0.0, all, 1, 0);
  EXPECT_NEAR(lossy.peak, (2.0 / (20 * 0.8) + 20 * 1e-5) * a, 1e-4 * lossy.peak);
  // An armature that the motion has already is not counted twice.
  const MotorDemand lighter = demand_on(motion, 0, 0.5, all, 1, 1);
  EXPECT_NEAR(lighter.peak, (1.5 / 50 + 50 * 1e-5) * a, 1e-5 * lighter.peak);
}

TEST(Size, TheSmallestThatDoesIt) {
  const Catalogue all = catalogue();
  const Graph cart = test::slider(2.0);
  const Model model = build(cart);
  const auto best = [&](double time, double margin) {
    return smallest_motors(model, run_cycle(cart, there_and_back(time, 1e-3)), all, margin)[0];
  };
  EXPECT_EQ(all.motors[best(2.0, 1.0).motor].name, "small");
  EXPECT_LE(best(2.0, 1.0).largest_share(), 1.0);
  EXPECT_EQ(all.motors[best(0.55, 1.0).motor].name, "large");
  EXPECT_LE(best(0.55, 1.0).largest_share(), 1.0);
  EXPECT_GT(best(0.05, 1.0).largest_share(), 1.0);  // none
  const double share = best(2.0, 1.0).largest_share();
  EXPECT_EQ(all.motors[best(2.0, 1.01 / share).motor].name, "large");
  EXPECT_THROW(best(2.0, 0.5), InputError);
}

/// 10 kg with 100 N and 2 m/s go 1 m as fast as they can, and back in 2 s by a cycloid: torques jump at four places.
TEST(Size, EnergyOfAMotionWithJumps) {
  Graph cart = test::slider(10.0);
  cart.joints[0].limits.velocity = 2.0;
  cart.joints[0].limits.effort = 100.0;
  for (const double every : {0.005, 0.1}) {
    Cycle cycle = there_and_back(2.0, every);
    cycle.segments[0].time.reset();
    const CycleMotion motion = run_cycle(cart, cycle);
    EXPECT_NEAR(motion.t.back(), 0.7 + 2.0, 1e-3);
    const JointDemand demand = demands(motion)[0];
    EXPECT_NEAR(demand.peak, 100.0, 1e-6);
    EXPECT_NEAR(demand.speed, 2.0, 1e-6);
    // m v²/2 of both ways: 20 J and, at 1 m/s, 5 J. Simpson's rule has an error of (every/2)⁴ where power is smooth,
    // and of every²/24 times its slope in the one step in which it changes its sign.
    const double slope = 10.0 * std::pow(pi / 2.0, 2) * 2.0;
    EXPECT_NEAR(demand.energy, 25.0, 1e-3 + slope * every * every / 24.0);
    EXPECT_NEAR(demand.net_energy, 0.0, 1e-6);
    EXPECT_NEAR(demand.rms, std::sqrt((0.4 * 1e4 + 25.0 * pi * pi) / 2.7), 0.02);
    double sum = 0.0;
    for (const double weight : motion.samples.weight) sum += weight;
    EXPECT_NEAR(sum, motion.t.back(), 1e-9);
  }
}

std::string written(const std::string& name, const std::string& text) {
  const std::string path = (std::filesystem::temp_directory_path() / name).string();
  std::ofstream(path) << text;
  return path;
}

/// A path file whose motion rests at a corner takes the time in parts of its length, and limits of its own.
TEST(Size, PathsOfAFile) {
  const std::string path = written("size_test_corner.toml",
                                   "[limits]\nvelocity = 0.9\n[[move]]\njoints = [1, 0]\n[[move]]\njoints = [1, 3]\n");
  Cycle cycle;
  cycle.segments.resize(1);
  cycle.segments[0].path = path;
  cycle.segments[0].time = 4.0;
  const CycleMotion motion = run_cycle(load_graph("planar2r"), cycle);
  EXPECT_NEAR(motion.t.back(), 4.0, 1e-12);
  // A cycloid's largest speed is twice the mean one, and both parts have the same.
  EXPECT_NEAR(demands(motion)[0].speed, 2.0, 1e-3);
  EXPECT_NEAR(demands(motion)[1].speed, 2.0, 1e-3);
  ASSERT_EQ(motion.notes.size(), 3u);
  EXPECT_EQ(motion.notes[0], "segment 1 moves 'joint1' at 2, faster than its velocity limit 0.9");
  cycle.segments.insert(cycle.segments.begin(), Segment{.to = {0.5, 0.0}, .time = 1.0});
  const std::string elsewhere = written("size_test_elsewhere.toml", "start = [0, 0]\n[[move]]\njoints = [1, 0]\n");
  cycle.segments[1].path = elsewhere;
  EXPECT_THROW(run_cycle(load_graph("planar2r"), cycle), InputError);
}

TEST(Size, OrientationAtPoints) {
  const Graph graph = load_graph("panda_like");
  const Model model = build(graph);
  const std::vector<double> start{0.1, 0.2, 0.1, -1.8, 0.1, 2, 0.3};
  Kinematics<double> kinematics(model);
  kinematics.update_positions(start);
  const Vec3<double> first = kinematics.pose(model.tip()).p;
  std::ostringstream task;
  task.precision(17);
  task << "start = [0.1, 0.2, 0.1, -1.8, 0.1, 2, 0.3]\n[[segment]]\npoints = [[" << first.x << ", " << first.y + 0.1
       << ", " << first.z << "]]\norientation = [1, 0, 0, 0]\ntime = 2\n";
  const Cycle cycle = parse_cycle(task.str(), "task");
  const CycleMotion motion = run_cycle(graph, cycle);
  kinematics.update_positions(std::span(motion.q).last(7));
  const Pose<double> end = kinematics.pose(model.tip());
  EXPECT_NEAR(end.R.xx, 1.0, 1e-5);
  EXPECT_NEAR(end.R.zz, -1.0, 1e-5);
  EXPECT_NEAR(end.p.y, first.y + 0.1, 1e-5);
}

/// However coarse the rows are wanted, the peak is met: of a cycloid to the square of half of 1/50 of its time.
TEST(Size, CoarseRows) {
  const double T = 0.8, a = 2 * pi / (T * T);
  const CycleMotion motion = run_cycle(test::slider(2.0), there_and_back(T, T));
  EXPECT_EQ(motion.t.size(), 101u);
  EXPECT_NEAR(demands(motion)[0].peak, 2.0 * a, 0.002 * 2.0 * a);
}

/// What a segment is refused for, with its line.
std::string refusal_of(const Graph& robot, const std::string& task) {
  try {
    run_cycle(robot, parse_cycle(task, "file"));
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(Size, BeyondLimitsOfTheJoints) {
  Graph cart = test::slider(2.0);
  cart.joints[0].limits.lower = -0.5;
  cart.joints[0].limits.upper = 1.0;
  EXPECT_EQ(refusal_of(cart, "[[segment]]\nto = [1]\ntime = 1\n"), "");
  EXPECT_NE(refusal_of(cart, "every = 0.1\n[[segment]]\nto = [1.25]\ntime = 1\n")
                .find("file:2: error: 'to' has joint 'rail' at 1.25, beyond its upper limit 1"),
            std::string::npos);
  EXPECT_NE(refusal_of(cart, "every = 0.1\nstart = [-2]\n[[segment]]\nto = [1]\ntime = 1\n")
                .find("file:2: error: 'start' has joint 'rail' at -2, beyond its lower limit -0.5"),
            std::string::npos);
}

/// Paths and timings are refused with the line of their segment.
TEST(Size, LinesOfPathsAndTimings) {
  const std::string endless = refusal_of(test::slider(2.0), "every = 0.1\n[[segment]]\nto = [1]\n");
  EXPECT_NE(endless.find("file:2: error"), std::string::npos) << endless;
  EXPECT_NE(endless.find("nothing limits the motion"), std::string::npos) << endless;
  const std::string still =
      refusal_of(load_graph("planar2r"), "every = 0.1\n[[segment]]\npoints = [[1, 1, 0], [1, 1, 0]]\ntime = 1\n");
  EXPECT_NE(still.find("file:2: error"), std::string::npos) << still;
}

TEST(Size, WrongFiles) {
  const auto words = [](const std::string& text, bool motors) -> std::string {
    try {
      if (motors)
        parse_catalogue(text, "file");
      else
        run_cycle(load_graph("planar2r"), parse_cycle(text, "file"));
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  const auto says = [&](const std::string& text, const std::string& what, bool motors = false) {
    EXPECT_NE(words(text, motors).find(what), std::string::npos) << text << "\n" << words(text, motors);
  };
  says("", "no [[segment]]");
  says("[[segment]]\n", "file:1: error");
  says("[[segment]]\nto = [1, 2]\ndwell = 1\n", "one of");
  says("[[segment]]\ndwell = -1\n", "dwell");
  says("[[segment]]\nto = [1, 2, 3]\ntime = 1\n", "file:1: error: 'to' has 3 numbers");
  says("[[segment]]\nto = [0, 0]\ntime = 1\n", "nowhere");
  says("[[segment]]\nto = [1, 0]\ntime = 1\npayload = -1\n", "payload");
  says("[[segment]]\npoints = [[1, 2]]\n", "points");
  says("[[segment]]\nto = [1, 0]\nhold = 'position'\n", "'hold' belongs to 'points'");
  says("[[segment]]\npoints = [[1, 1, 0]]\norientation = [1, 1, 0, 0]\n", "length 1");
  says("[[segment]]\npath = ''\n", "names no file");
  says("[[segment]]\npath = 'nowhere.toml'\n", "nowhere.toml");
  says("[[segment]]\npoints = [[9, 0, 0]]\ntime = 1\n", "cannot go straight");
  says("every = 1e-9\n[[segment]]\ndwell = 1\n", "million rows");
  says("[[segment]]\nto = [nan, 0]\ntime = 1\n", "to");
  says("[[segment]]\nto = [1, 0]\nforce = [0, -5, 0]\n", "file:3: error");
  says("[[segment]]\nto = [1, 0]\nforce = [0, -5, 0]\n", "give 'time'");
  says("", "no [[motor]]", true);
  says("[[motor]]\nname = 'x'\n", "torque", true);
  says("[[motor]]\nname = 'x'\ntorque = 2\npeak_torque = 1\nspeed = 1\n", "below", true);
  says("[[motor]]\nname = 'x'\ntorque = 2\nspeed = 1\nresistance = 1\n", "torque_constant", true);
  says("[[motor]]\nname = 'x'\ntorque = 2\nspeed = 1\n[[gear]]\nratio = 1\nefficiency = 2\n", "above 1", true);
}

}  // namespace
}  // namespace ulna::sizing
