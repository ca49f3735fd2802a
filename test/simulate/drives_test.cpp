// Every drive against a formula of its own, computed here.
#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "support/random_robot.hpp"
#include "support/runs.hpp"
#include "support/small_robots.hpp"
#include "ulna/base/error.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/model/random_state.hpp"
#include "ulna/simulate/motion_ode.hpp"
#include "ulna/simulate/playback_growth.hpp"

namespace ulna {
namespace {

using test::finish;
using test::FinishedRun;
using test::largest_difference;

ReferencePointer cycloid(std::vector<double> from, std::vector<double> to, double time) {
  return make_reference(PointToPoint{PointToPoint::Profile::cycloid, std::move(from), std::move(to), 0.0, time, 0.25});
}

/// One-degree joints of all kinds with friction, springs and rotors.
Model arm(bool passive) {
  return build(test::random_robot({.bodies = 4, .only_one_degree = true, .passive = passive}, 3));
}

/// What a drive gives at a state, through the system that integrators see.
std::vector<double> torque(const Model& model, const DriveSpec& drive, double t, const std::vector<double>& q,
                           const std::vector<double>& v) {
  MotionOde system(model, "auto", {drive, {}, false});
  system.enter(t, q, v);
  std::vector<double> a(v.size()), tau(v.size());
  system.accelerations(t, q, v, a, tau);
  return tau;
}

class Formula : public ::testing::Test {
 protected:
  Model model = arm(false);
  std::size_t n = static_cast<std::size_t>(model.nv());
  std::mt19937_64 generator{7};
  std::vector<double> q = random_position(model, generator), v = random_velocity(model, generator),
                      kp = random_velocity(model, generator, 100.0), kd = random_velocity(model, generator, 10.0);
  ReferencePointer reference = cycloid(random_position(model, generator), random_position(model, generator), 2.0);
  double t = 0.7;
  std::vector<double> qd = std::vector<double>(n), vd = qd, ad = qd, expected = qd;
  // not the formulation that the drives use
  std::unique_ptr<Method<double>> other = make_method<double>("homogeneous", Quantity::inverse_dynamics, model);

  void SetUp() override { reference->at(t, t, qd, vd, ad); }
  /// Sums of a dozen products of at most a few hundred: 1e-12 of their size.
  void expect_torque(const DriveSpec& drive) {
    const std::vector<double> tau = torque(model, drive, t, q, v);
    for (std::size_t k = 0; k < n; ++k) EXPECT_NEAR(tau[k], expected[k], 1e-12 * (100.0 + std::abs(expected[k])));
  }
};

TEST_F(Formula, Pd) {
  for (std::size_t k = 0; k < n; ++k) expected[k] = kp[k] * (qd[k] - q[k]) + kd[k] * (vd[k] - v[k]);
  expect_torque(PdDrive{reference, kp, kd, false});
}

TEST_F(Formula, PdWithGravity) {
  const std::vector<double> rest(n, 0.0);
  other->inverse_dynamics(q, rest, rest, expected);
  for (std::size_t k = 0; k < n; ++k) expected[k] += kp[k] * (qd[k] - q[k]) + kd[k] * (vd[k] - v[k]);
  expect_torque(PdDrive{reference, kp, kd, true});
}

TEST_F(Formula, Playback) {
  other->inverse_dynamics(qd, vd, ad, expected);
  expect_torque(PlaybackDrive{reference});
}

TEST_F(Formula, ComputedTorque) {
  std::vector<double> wanted(n);
  for (std::size_t k = 0; k < n; ++k) wanted[k] = ad[k] + kd[k] * (vd[k] - v[k]) + kp[k] * (qd[k] - q[k]);
  other->inverse_dynamics(q, v, wanted, expected);
  expect_torque(ComputedTorqueDrive{reference, kp, kd});
}

TEST_F(Formula, ConstantAndSpline) {
  expected = kp;
  expect_torque(ConstantDrive{kp});
  std::vector<double> rows(kp);
  rows.insert(rows.end(), kd.begin(), kd.end());
  // two rows make a line
  for (std::size_t k = 0; k < n; ++k) expected[k] = kp[k] + (kd[k] - kp[k]) * (t - 0.5) / 1.5;
  expect_torque(SplineDrive{std::make_shared<CubicSpline>(std::vector{0.5, 2.0}, rows, n, CubicSpline::Ends::natural)});
}

TEST_F(Formula, UserCodeAddsToNothing) {
  expected = kd;
  expect_torque(UserDrive{[&](double time, auto position, auto velocity, std::span<double> tau) {
    EXPECT_EQ(time, t);
    EXPECT_TRUE(std::equal(position.begin(), position.end(), q.begin(), q.end()));
    EXPECT_TRUE(std::equal(velocity.begin(), velocity.end(), v.begin(), v.end()));
    for (std::size_t k = 0; k < n; ++k) tau[k] += kd[k];
  }});
}

/// e(t) of ë + d ė + p e = 0 by the roots of the characteristic equation.
double decaying(double e0, double rate0, double p, double d, double t) {
  const double inside = 0.25 * d * d - p, fade = std::exp(-0.5 * d * t), slope = rate0 + 0.5 * d * e0;
  if (inside == 0.0) return fade * (e0 + slope * t);
  const double w = std::sqrt(std::abs(inside));
  return inside < 0.0 ? fade * (e0 * std::cos(w * t) + slope / w * std::sin(w * t))
                      : fade * (e0 * std::cosh(w * t) + slope / w * std::sinh(w * t));
}

/// Joints that swing, creep and just do neither; friction, springs and rotors are cancelled too.
/// Errors of 1e-12 per step fade with the motion; some hundred steps leave less than 1e-9.
TEST(ComputedTorque, MakesTheErrorLinear) {
  const Model model = arm(true);
  ASSERT_EQ(model.nv(), 4);
  const std::vector<double> kp{40, 9, 25, 4}, kd{2, 6, 11, 5}, off{0.2, -0.3, 0.1, 0.4}, rate{-0.5, 0.2, 0.0, 1.0};
  SimulationSetup setup;
  setup.q0 = {0.1, 0.2, -0.3, 0.4};
  setup.actions.drive = ComputedTorqueDrive{cycloid(setup.q0, {1.0, -0.5, 0.6, 0.8}, 1.5), kp, kd};
  for (std::size_t k = 0; k < 4; ++k) setup.q0[k] -= off[k];
  for (const double x : rate) setup.v0.push_back(-x);
  setup.duration = 2.0;  // past the end of the motion
  setup.at_limits = EventAction::ignore;
  setup.accuracy.relative = setup.accuracy.absolute = 1e-12;
  const FinishedRun run = finish(model, setup);
  ASSERT_EQ(run.result.status, RunStatus::completed) << run.result.reason;
  for (std::size_t i = 0; i < run.trajectory.size(); ++i) {
    for (std::size_t k = 0; k < 4; ++k) {
      const std::string number = std::to_string(k + 1);
      const double e = run.trajectory.at(i, "qd" + number) - run.trajectory.at(i, "q" + number);
      ASSERT_NEAR(e, decaying(off[k], rate[k], kp[k], kd[k], run.trajectory.at(i, "t")), 1e-9) << "joint " << number;
    }
  }
}

/// Each step errs by a tolerance of the state's size (a few), and an error grows by no more than
/// the norm of Φ.
TEST(Playback, FollowsItsReferenceAsFarAsErrorsMayGrow) {
  const Model model = load("planar3r");
  SimulationSetup setup;
  setup.actions.drive = PlaybackDrive{cycloid({0, 0, 0}, {3, 3, 3}, 4.0)};
  setup.duration = 1.0;
  setup.accuracy.relative = setup.accuracy.absolute = 1e-12;
  const FinishedRun run = finish(model, setup);
  const double growth = playback_growth(model, setup.actions, 1.0, 0.05).rows.back().amplification;
  const double bound = static_cast<double>(run.result.statistics.steps) * 5e-12 * growth;
  EXPECT_LT(bound, 1e-7);
  for (const char* k : {"1", "2", "3"})
    EXPECT_LE(largest_difference(run.column(std::string("q") + k), run.column(std::string("qd") + k)), bound);
}

TEST(PlaybackGrowth, RowsAreAsFarApartAsAskedForSampledDrivesToo) {
  const Model model = load("planar2r");
  Actions actions;
  actions.drive = PlaybackDrive{cycloid({0, 0}, {1, 1}, 1.0)};
  actions.held.sample = 0.01;
  const PlaybackGrowth growth = playback_growth(model, actions, 1.0, 0.25);
  ASSERT_EQ(growth.rows.size(), 5u);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_DOUBLE_EQ(growth.rows[i].t, 0.25 * static_cast<double>(i));
}

SimulationSetup two_rods() {
  SimulationSetup setup;
  setup.q0 = {-1.0, 0.4};
  setup.duration = 1.0;
  setup.integrator = "rk4";
  setup.accuracy.fixed_step = 0.0125;
  return setup;
}

void continue_from(SimulationSetup& setup, const RunResult& result) {
  setup.q0 = result.final_q;
  setup.v0 = result.final_v;
}

/// The same fixed steps either way, so that nothing but rounding may differ: 80 steps of 1e-16 of
/// velocities below 10, which grow by less than 100 in a second.
constexpr double rounding = 1e-12;

TEST(TorqueTable, StepsAreHeldExactly) {
  const Model model = load("planar2r");
  SimulationSetup setup = two_rods();
  setup.actions.held.steps = {{0.25, 0.5, 0.75}, {3, -1, 0, 2, -4, 0.5}};
  const FinishedRun whole = finish(model, setup);
  SimulationSetup piece = two_rods();
  piece.duration = 0.25;
  for (const std::vector<double>& tau : std::vector<std::vector<double>>{{0, 0}, {3, -1}, {0, 2}, {-4, 0.5}}) {
    piece.actions.drive = ConstantDrive{tau};
    continue_from(piece, finish(model, piece).result);
  }
  EXPECT_LE(largest_difference(whole.result.final_q, piece.q0), rounding);
  EXPECT_LE(largest_difference(whole.result.final_v, piece.v0), rounding);
}

TEST(SampledDrive, IsALoopOfHeldTorques) {
  const Model model = load("planar2r");
  const ReferencePointer reference = cycloid({-1.0, 0.4}, {0.5, 1.0}, 0.8);
  const std::vector<double> kp{60, 20}, kd{8, 3};
  SimulationSetup setup = two_rods();
  setup.actions.drive = PdDrive{reference, kp, kd, false};
  setup.actions.held.sample = 0.05;
  const FinishedRun whole = finish(model, setup);
  SimulationSetup piece = two_rods();
  piece.v0 = {0, 0};
  piece.duration = 0.05;
  for (int k = 0; k < 20; ++k) {
    std::vector<double> q(2), v(2), a(2), tau(2);
    reference->at(0.05 * k, 0.05 * k, q, v, a);
    for (std::size_t i = 0; i < 2; ++i) tau[i] = kp[i] * (q[i] - piece.q0[i]) + kd[i] * (v[i] - piece.v0[i]);
    piece.actions.drive = ConstantDrive{tau};
    continue_from(piece, finish(model, piece).result);
  }
  EXPECT_LE(largest_difference(whole.result.final_q, piece.q0), rounding);
  EXPECT_LE(largest_difference(whole.result.final_v, piece.v0), rounding);
}

/// A trapezoid whose corners are sampled has piecewise constant torques: holding them is exact, if
/// what is held at a corner is what comes after it.
TEST(SampledDrive, TakesAtACornerWhatComesAfterIt) {
  const Model model = build(test::slider(2.0));
  SimulationSetup setup;
  setup.duration = 1.5;
  setup.actions.drive =
      PlaybackDrive{make_reference(PointToPoint{PointToPoint::Profile::trapezoid, {0.0}, {1.0}, 0.25, 1.0, 0.25})};
  setup.actions.held.sample = 0.25;
  const FinishedRun run = finish(model, setup);
  EXPECT_NEAR(run.result.final_q[0], 1.0, 1e-12);
  EXPECT_NEAR(run.result.final_v[0], 0.0, 1e-12);
}

class UserCode : public ::testing::TestWithParam<std::string> {};

/// The same PD law as a user's code and as Ulna's own: the first has no derivatives, so that BDF
/// takes differences. Both keep a tolerance of 1e-10 per step over some hundred (for BDF a few
/// thousand) steps of a damped motion.
TEST_P(UserCode, IsAsGoodAsTheBuiltInDrive) {
  const Model model = load("planar2r");
  const std::vector<double> kp{60, 20}, kd{8, 3}, goal{0.5, 1.0};
  SimulationSetup setup = two_rods();
  setup.integrator = GetParam();
  setup.accuracy = {1e-10, 1e-10, 0.0, 0.0};
  test::choose_step(setup);
  setup.actions.drive = PdDrive{cycloid(goal, goal, 1.0), kp, kd, false};
  const FinishedRun own = finish(model, setup);
  setup.actions.drive = UserDrive{[&](double, auto q, auto v, std::span<double> tau) {
    for (std::size_t k = 0; k < 2; ++k) tau[k] += kp[k] * (goal[k] - q[k]) - kd[k] * v[k];
  }};
  const FinishedRun user = finish(model, setup);
  ASSERT_EQ(user.result.status, RunStatus::completed) << user.result.reason;
  for (const char* name : {"q1", "q2", "tau1", "energy", "work_drives"})
    EXPECT_LE(largest_difference(own.column(name), user.column(name)), 1e-6) << name;
}

std::vector<std::string> integrator_names() {
  std::vector<std::string> names;
  for (const IntegratorInfo& info : integrators()) names.emplace_back(info.name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(All, UserCode, ::testing::ValuesIn(integrator_names()),
                         [](const auto& one) { return one.param; });

TEST(UserDrive, ErrorsPassThrough) {
  const Model model = load("planar2r");
  for (const std::string& name : integrator_names()) {
    SimulationSetup setup = two_rods();
    setup.integrator = name;
    setup.accuracy.fixed_step = 0.0;
    test::choose_step(setup);
    setup.actions.drive = UserDrive{[](double t, auto, auto, auto) {
      if (t > 0.1) throw std::domain_error("no more");
    }};
    EXPECT_THROW(finish(model, setup), std::domain_error) << name;
  }
}

TEST(Saturation, CutsAtTheEffortLimit) {
  Graph graph = test::slider(2.0);
  graph.joints[0].limits.effort = 3.0;
  const Model model = build(graph);
  SimulationSetup setup;
  setup.duration = 2.0;
  setup.actions.drive = ConstantDrive{{-10.0}};
  setup.actions.saturate = true;
  const FinishedRun run = finish(model, setup);
  EXPECT_EQ(run.trajectory.at(5, "tau1"), -3.0);
  EXPECT_NEAR(run.result.final_q[0], -0.5 * 1.5 * 4.0, 1e-9);
  EXPECT_NEAR(run.trajectory.at(run.last(), "work_drives"), 9.0, 1e-8);
}

/// A disturbance comes from outside: the motor's limit does not hold it back.
TEST(Saturation, LeavesDisturbancesAlone) {
  Graph graph = test::slider(2.0);
  graph.joints[0].limits.effort = 3.0;
  const Model model = build(graph);
  for (const double sample : {0.0, 0.1}) {
    SimulationSetup setup;
    setup.duration = 1.0;
    setup.actions.drive = ConstantDrive{{-10.0}};
    setup.actions.saturate = true;
    setup.actions.held.sample = sample;
    setup.actions.held.pulses.push_back({0, 7.0});
    EXPECT_NEAR(finish(model, setup).result.final_v[0], (7.0 - 3.0) / 2.0, 1e-9);
  }
}

TEST(Drives, ListsOfTheWrongLengthAreRefused) {
  const Model model = load("planar2r"), floating = load("satellite_arm");
  const ReferencePointer two = cycloid({0, 0}, {1, 1}, 1.0), three = cycloid({0, 0, 0}, {1, 1, 1}, 1.0);
  const std::vector<double> one_gain{1}, gains{1, 1};
  const auto refuse = [](const DriveSpec& drive, const Model& robot) {
    EXPECT_THROW(make_drive<double>(drive, robot), InputError) << drive.index();
  };
  refuse(ConstantDrive{one_gain}, model);
  refuse(PdDrive{two, one_gain, gains, false}, model);
  refuse(PdDrive{three, gains, gains, false}, model);
  refuse(PdDrive{nullptr, gains, gains, false}, model);
  refuse(ComputedTorqueDrive{two, gains, one_gain}, model);
  refuse(PlaybackDrive{three}, model);
  refuse(PlaybackDrive{cycloid(std::vector<double>(13), std::vector<double>(13), 1.0)}, floating);
  refuse(SplineDrive{std::make_shared<CubicSpline>(std::vector{0.0, 1.0}, gains, 1, CubicSpline::Ends::natural)},
         model);
}

}  // namespace
}  // namespace ulna
