// Springs, dampers and walls at frames, and a user's own loads: against closed forms, against the Jacobian's transpose,
// and by what they do to the energy.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "support/random_robot.hpp"
#include "support/runs.hpp"
#include "support/small_robots.hpp"
#include "support/tolerance.hpp"
#include "ulna/base/error.hpp"
#include "ulna/batch/ensemble.hpp"
#include "ulna/dynamics/newton_euler/newton_euler.hpp"
#include "ulna/io/scenario/load.hpp"
#include "ulna/model/random_state.hpp"
#include "ulna/simulate/motion_ode.hpp"

namespace ulna {
namespace {

using test::finish;
using test::FinishedRun;

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// A ball of 2 kg that falls along −z; its own frame is its mass centre.
Model ball(double gravity) {
  Graph graph = test::floating_ball(2.0, 0.1, {0, 0, 0});
  graph.gravity = {0, 0, -gravity};
  return build(graph);
}

SimulationSetup from_height(double z, double duration) {
  SimulationSetup setup;
  setup.q0 = {0, 0, z, 0, 0, 0, 1};
  setup.duration = duration;
  setup.accuracy = {1e-11, 1e-11, 0.0, 0.0};
  return setup;
}

Frame frame_of(const Model& model, const char* name) { return *model.find_frame(name); }

TEST(FrameLoads, ASpringSwingsAsItsFormula) {
  const Model model = ball(0.0);
  SimulationSetup setup = from_height(0.3, 2.0);
  const double mass = 2.0, stiffness = 50.0, damping = 3.0, z0 = 0.1;
  setup.actions.frame_loads = {FrameSpring{frame_of(model, "ball"), {0, 0, z0}, stiffness, 0.0, damping}};
  const RunResult result = finish(model, setup).result;
  const double decay = damping / (2 * mass), omega = std::sqrt(stiffness / mass - decay * decay), t = 2.0;
  const double expected = z0 + 0.2 * std::exp(-decay * t) * (std::cos(omega * t) + decay / omega * std::sin(omega * t));
  EXPECT_NEAR(result.final_q[2], expected, 1e-9);  // the tolerance of a step over some hundred steps
  EXPECT_LT(result.largest_imbalance, 1e-8);
}

TEST(FrameLoads, ASpringWithALengthActsAlongItsLineAlone) {
  const Model model = ball(0.0);
  SimulationSetup setup = from_height(0.5, 1.0);
  setup.v0 = {0, 0, 0, std::sqrt(40.0 * 0.2 * 0.5 / 2.0), 0, 0};  // k (r − L) r / m = v²: a circle about the anchor
  setup.actions.frame_loads = {FrameSpring{frame_of(model, "ball"), {0, 0, 0}, 40.0, 0.3, 7.0}};
  const FinishedRun run = finish(model, setup);
  const auto x = run.column("q1"), z = run.column("q3");
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(std::hypot(x[i], z[i]), 0.5, 1e-9);
  EXPECT_GT(std::abs(x.back()), 0.1);
}

TEST(FrameLoads, ADamperBrakesByAnExponential) {
  const Model model = ball(0.0);
  SimulationSetup setup = from_height(0.0, 1.5);
  setup.v0 = {0, 0.7, 0, 1.0, 0, 0};
  setup.actions.frame_loads = {FrameDamper{frame_of(model, "ball"), 4.0, 0.2}};
  const RunResult result = finish(model, setup).result;
  EXPECT_NEAR(norm(Vec3<double>{result.final_v[3], result.final_v[4], result.final_v[5]}), std::exp(-4.0 / 2.0 * 1.5),
              1e-9);
  EXPECT_NEAR(result.final_v[1], 0.7 * std::exp(-0.2 / 0.1 * 1.5), 1e-9);
}

TEST(FrameLoads, AWallBouncesWithoutLossAndHoldsWhatRests) {
  const double g = 9.81, height = 0.5, stiffness = 5e3, mass = 2.0;
  const Model model = ball(g);
  SimulationSetup setup = from_height(height, 5.0);
  setup.every = 0.001;
  setup.actions.frame_loads = {FrameWall{frame_of(model, "ball"), {0, 0, 0}, {0, 0, 3}, stiffness}};
  const FinishedRun run = finish(model, setup);
  // Deepest where the spring has taken all energy: k d²/2 = m g (h + d).
  const double d =
      mass * g / stiffness + std::sqrt(std::pow(mass * g / stiffness, 2) + 2 * mass * g * height / stiffness);
  const auto z = run.column("q3");
  EXPECT_NEAR(*std::min_element(z.begin(), z.end()), -d, 1e-4);  // samples beside the lowest point
  EXPECT_NEAR(*std::max_element(z.begin() + 1000, z.end()), height, 1e-5);
  EXPECT_LT(run.result.largest_imbalance, 1e-6);

  std::get<FrameWall>(setup.actions.frame_loads[0]).damping = 200.0;
  setup.duration = 8.0;
  EXPECT_NEAR(finish(model, setup).result.final_q[2], -mass * g / stiffness, 1e-9);
}

TEST(FrameLoads, AWallRubs) {
  const double g = 9.81, friction = 0.3, stiffness = 1e4;
  const Model model = ball(g);
  SimulationSetup setup = from_height(-2.0 * g / stiffness, 0.5);  // at rest on it
  setup.v0 = {0, 0, 0, 2.0, 0, 0};
  setup.actions.frame_loads = {FrameWall{frame_of(model, "ball"), {0, 0, 0}, {0, 0, 1}, stiffness, 0.0, friction}};
  const FinishedRun run = finish(model, setup);
  // It acts at the mass centre: nothing turns.
  EXPECT_NEAR(run.result.final_v[3], 2.0 - friction * g * 0.5, 1e-9);
  EXPECT_NEAR(run.result.final_q[0], 2.0 * 0.5 - friction * g * 0.125, 1e-9);
}

/// Tables of every kind, and a user's load beside them, at frames of an arm.
class OnAnArm : public ::testing::Test {
 protected:
  Model model = build(test::random_robot({.bodies = 5, .only_one_degree = true, .passive = true}, 11));
  std::mt19937_64 generator{5};
  std::vector<double> q = random_position(model, generator), v = random_velocity(model, generator);
  Frame tip{"tip", model.body_count() - 1, {Mat3<double>::identity(), {0.1, -0.2, 0.3}}},
      middle{"middle", 2, {Mat3<double>::identity(), {-0.3, 0.1, 0.2}}};
  Actions actions;

  template <Real T>
  static void user(const Frame& frame, const T& t, std::span<const T> q, std::span<const T> v,
                   const Kinematics<T>& kinematics, FrameWrenches<T>& wrenches) {
    const Vec3<T> p = kinematics.pose(frame).p;
    wrenches.add(frame, {{t, p.x * v[0], T(0.3)}, {q[0] * p.y, T(2.0) * p.z, -p.x}});
  }

  void SetUp() override {
    Kinematics<double> kinematics(model);
    kinematics.update_positions(q);
    const Vec3<double> p = kinematics.pose(tip).p;
    actions.frame_loads = {FrameSpring{tip, {1, 2, 3}, 40.0, 0.0, 2.0}, FrameSpring{middle, {0, 1, 0}, 90.0, 0.4, 3.0},
                           FrameDamper{middle, 5.0, 0.7},
                           FrameWall{tip, p + Vec3<double>{0, 0, 0.05}, {0.1, 0.2, 1.0}, 300.0, 4.0, 0.4}};
    actions.user_loads = {
        {[this](const double& t, auto q_, auto v_, const auto& k, auto& w) { user<double>(middle, t, q_, v_, k, w); },
         [this](const Dual4& t, auto q_, auto v_, const auto& k, auto& w) { user<Dual4>(middle, t, q_, v_, k, w); }}};
  }

  std::vector<double> accelerations(const Actions& acting) {
    MotionOde system(model, "auto", acting);
    system.enter(0.5, q, v);
    std::vector<double> a(v.size()), tau(v.size());
    system.accelerations(0.5, q, v, a, tau);
    return a;
  }
};

TEST_F(OnAnArm, TheyActByTheTransposeOfTheJacobian) {
  const auto n = v.size();
  Kinematics<double> kinematics(model);
  kinematics.update_positions(q);
  kinematics.update_velocities(v);
  std::vector<double> expected(n, 0.0);
  const auto add = [&](const Frame& frame, const Vec3<double>& moment, const Vec3<double>& force) {
    std::vector<double> J(6 * n);
    kinematics.jacobian(frame, Reference::world_axes, {J.data(), 6, model.nv()});
    const MatrixView<const double> columns{J.data(), 6, model.nv()};
    const double w[6] = {moment.x, moment.y, moment.z, force.x, force.y, force.z};
    for (int k = 0; k < model.nv(); ++k)
      for (int r = 0; r < 6; ++r) expected[static_cast<std::size_t>(k)] += columns(r, k) * w[r];
  };
  const auto point = [&](const Frame& f) { return kinematics.pose(f).p; };
  const auto rate = [&](const Frame& f) { return kinematics.velocity(f, Reference::world_axes); };
  add(tip, {0, 0, 0}, 40.0 * (Vec3<double>{1, 2, 3} - point(tip)) - 2.0 * rate(tip).linear);
  const Vec3<double> way = Vec3<double>{0, 1, 0} - point(middle);
  const Vec3<double> along = (1.0 / norm(way)) * way;
  add(middle, {0, 0, 0}, (90.0 * (norm(way) - 0.4) - 3.0 * dot(along, rate(middle).linear)) * along);
  add(middle, -0.7 * rate(middle).angular, -5.0 * rate(middle).linear);
  const Vec3<double> normal = (1.0 / std::sqrt(1.05)) * Vec3<double>{0.1, 0.2, 1.0}, velocity = rate(tip).linear;
  const double out = dot(normal, velocity), press = std::max(0.0, 300.0 * dot(normal, {0, 0, 0.05}) - 4.0 * out);
  ASSERT_GT(press, 0.0);
  const Vec3<double> sliding = velocity - out * normal;
  ASSERT_GT(norm(sliding), model.friction_speed());
  add(tip, {0, 0, 0}, press * normal - (0.4 * press / norm(sliding)) * sliding);
  const Vec3<double> p = point(middle);
  add(middle, {0.5, p.x * v[0], 0.3}, {q[0] * p.y, 2.0 * p.z, -p.x});

  // Newton and Euler ask what torques these accelerations need without any load: those of the loads.
  newton_euler::Workspace<double> ws(model);
  std::vector<double> tau(n);
  const std::vector<double> a = accelerations(actions);
  newton_euler::inverse_dynamics<double>(model, ws, q, v, a, tau);
  const test::StateScale scale = test::scale_of(model, q, v, a);
  const double allowed = test::torque_tolerance(model, scale, epsilon) * scale.condition;
  for (std::size_t k = 0; k < n; ++k) EXPECT_NEAR(tau[k], expected[k], allowed) << k;
}

TEST_F(OnAnArm, TheJacobianOfImplicitMethodsKnowsThem) {
  MotionOde system(model, "auto", actions);
  system.enter(0.5, q, v);
  std::vector<double> y(system.size()), dy = y, other = y;
  system.set_state(q, v, y);
  std::vector<double> J(y.size() * y.size());
  const MatrixView<double> jacobian{J.data(), static_cast<int>(y.size()), static_cast<int>(y.size())};
  ASSERT_TRUE(system.jacobian(0.5, y, jacobian));
  const double step = 1e-6;
  for (std::size_t k = 0; k < 2 * v.size(); ++k) {
    const double at = y[k];
    y[k] = at + step;
    system.rhs(0.5, y, dy);
    y[k] = at - step;
    system.rhs(0.5, y, other);
    y[k] = at;
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double slope = (dy[i] - other[i]) / (2 * step), exact = jacobian(static_cast<int>(i), static_cast<int>(k));
      EXPECT_NEAR(exact, slope, 1e-7 * (1.0 + std::abs(exact)) + 1e-12 / step) << i << ", " << k;  // step² and ε/step
    }
  }
  actions.user_loads[0].derivative = nullptr;
  EXPECT_FALSE(MotionOde(model, "auto", actions).jacobian(0.5, y, jacobian));
}

TEST_F(OnAnArm, EveryFormulationAndIntegratorAgree) {
  const std::vector<double> a = accelerations(actions);
  const double allowed = test::acceleration_tolerance(model, test::scale_of(model, q, v, a), epsilon);
  int compared = 0;
  for (const MethodInfo& info : methods()) {
    if (!info.can(Quantity::forward_dynamics) || !info.refusal(model).empty()) continue;
    MotionOde system(model, info.name, actions);
    system.enter(0.5, q, v);
    std::vector<double> other(v.size()), tau(v.size());
    system.accelerations(0.5, q, v, other, tau);
    EXPECT_LT(test::largest_difference(a, other), allowed) << info.name;
    ++compared;
  }
  EXPECT_GE(compared, 4);
  SimulationSetup setup;
  setup.q0 = q;
  setup.v0 = v;
  setup.duration = 0.2;
  setup.actions = actions;
  setup.accuracy = {1e-9, 1e-9, 0.0, 0.0};
  const RunResult explicit_run = finish(model, setup).result;
  setup.integrator = "bdf";
  const RunResult exact = finish(model, setup).result;
  setup.actions.user_loads[0].derivative = nullptr;
  const RunResult differences = finish(model, setup).result;
  EXPECT_LT(test::largest_difference(explicit_run.final_q, exact.final_q),
            1e-7);  // steps of 1e-9 each, some hundred of them
  EXPECT_LT(test::largest_difference(explicit_run.final_q, differences.final_q), 1e-7);
  EXPECT_LT(explicit_run.largest_imbalance, 1e-7 * (1.0 + explicit_run.largest_energy));
}

TEST(FrameLoads, PacksOfRunsHaveThem) {
  const Model model = build(test::slider(1.0));
  EnsembleSetup setup;
  setup.runs = 6;
  setup.nominal.duration = 1.0;
  setup.nominal.q0 = {0.3};
  setup.nominal.v0 = {1.0};
  setup.nominal.actions.frame_loads = {FrameSpring{frame_of(model, "cart"), {0.1, 0, 0}, 30.0, 0.0, 0.5},
                                       FrameWall{frame_of(model, "cart"), {0.4, 0, 0}, {-1, 0, 0}, 1e3, 5.0}};
  ASSERT_EQ(pack_refusal(model, setup), "");
  const EnsembleResult packs = simulate_ensemble(model, setup);
  EXPECT_TRUE(packs.packed);
  for (const EnsembleRunResult& run : packs.runs)
    EXPECT_NEAR(run.q[0], finish(model, setup.nominal).result.final_q[0], 1e-8);
  setup.nominal.actions.user_loads = {{[](const double&, auto, auto, const auto&, auto&) {}}};
  EXPECT_NE(pack_refusal(model, setup), "");
}

TEST(FrameEvents, AFrameAndAFunctionAreFoundInTime) {
  const double g = 9.81;
  const Model model = ball(g);
  SimulationSetup setup = from_height(1.0, 0.4);
  setup.watched = {
      {.value = 0.4, .text = "low", .frame = frame_of(model, "ball"), .axis = {0, 0, 2}},
      {.velocity = true, .value = 1.0, .text = "fast", .frame = frame_of(model, "ball"), .axis = {0, 0, -1}},
      {.value = 5.0,
       .action = EventAction::stop,
       .text = "energy",
       .function = [](double, auto, auto v, const Kinematics<double>& k) { return k.kinetic_energy(v); }}};
  const RunResult result = finish(model, setup).result;
  ASSERT_EQ(result.events.size(), 2u);
  EXPECT_EQ(result.events[0].text, "fast");
  EXPECT_NEAR(result.events[0].t, 1.0 / g, 1e-10);
  EXPECT_EQ(result.status, RunStatus::stopped_by_event);
  EXPECT_NEAR(result.time, std::sqrt(5.0) / g, 1e-10);  // m v²/2 = 5
  setup.watched.pop_back();
  EXPECT_NEAR(finish(model, setup).result.events[1].t, std::sqrt(2.0 * 0.6 / g), 1e-10);
}

TEST(FrameEvents, AFunctionThatIsNotANumberEndsTheRun) {
  const Model model = ball(9.81);
  SimulationSetup setup = from_height(1.0, 0.4);
  setup.watched = {{.text = "half way", .function = [](double t, auto...) { return t < 0.2 ? t - 0.1 : NAN; }}};
  const RunResult result = finish(model, setup).result;
  EXPECT_EQ(result.status, RunStatus::not_finite);
  EXPECT_NE(result.reason.find("the watched function 'half way' is not a number at t = 0."), std::string::npos)
      << result.reason;
  ASSERT_EQ(result.events.size(), 1u);  // what came before counts
  EXPECT_NEAR(result.events[0].t, 0.1, 1e-10);
}

TEST(FrameLoads, WhatCannotBeIsRefused) {
  const Model model = ball(1.0);
  SimulationSetup setup = from_height(1.0, 0.1);
  const Frame frame = frame_of(model, "ball");
  for (const FrameLoad& load :
       std::initializer_list<FrameLoad>{FrameSpring{frame, {0, 0, 0}, -1.0}, FrameSpring{frame, {NAN, 0, 0}, 1.0},
                                        FrameDamper{frame, INFINITY}, FrameWall{frame, {0, 0, 0}, {0, 0, 0}, 1.0}}) {
    setup.actions.frame_loads = {load};
    EXPECT_THROW(finish(model, setup), InputError);
  }
  setup.actions.frame_loads = {FrameDamper{{"elsewhere", 7, Pose<double>::identity()}, 1.0}};
  EXPECT_THROW(finish(model, setup), std::invalid_argument);
}

constexpr const char* tables = R"(robot = "planar2r"
[[spring]]
frame = "link2"
anchor = [1, 2, 3]
stiffness = 10
length = 0.5
damping = 2
[[damper]]
frame = "link1"
angular = 4
[[wall]]
frame = "link2"
point = [0, -0.5, 0]
normal = [0, 1, 0]
stiffness = 1e4
damping = 3
friction = 0.2
[[event]]
frame = "link2"
axis = [0, 1, 0]
position = -0.25
)";

TEST(FrameLoads, TablesOfAScenarioComeBack) {
  const Scenario scenario = parse_scenario(tables, "a.toml"), again = parse_scenario(to_toml(scenario), "b.toml");
  EXPECT_EQ(to_toml(scenario), to_toml(again));
  const Model model = build(robot_of(again));
  const SimulationSetup setup = setup_of(again, model);
  ASSERT_EQ(setup.actions.frame_loads.size(), 3u);
  const auto& wall = std::get<FrameWall>(setup.actions.frame_loads[2]);
  EXPECT_EQ(wall.frame.body, model.find_frame("link2")->body);
  EXPECT_EQ(wall.point.y, -0.5);
  EXPECT_EQ(wall.friction, 0.2);
  EXPECT_EQ(std::get<FrameDamper>(setup.actions.frame_loads[1]).angular, 4.0);
  EXPECT_EQ(std::get<FrameSpring>(setup.actions.frame_loads[0]).length, 0.5);
  ASSERT_EQ(setup.watched.size(), 1u);
  EXPECT_EQ(setup.watched[0].axis.y, 1.0);
  EXPECT_EQ(setup.watched[0].text, "link2: position -0.25");
}

TEST(FrameLoads, TablesThatAreWrongAreToldWithTheirLine) {
  const auto told = [](const std::string& text) -> std::string {
    try {
      const Scenario scenario = parse_scenario("robot = \"planar2r\"\n" + text, "a.toml");
      setup_of(scenario, build(robot_of(scenario)));
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(told("[[wall]]\nframe = \"link2\"\nstiffness = -3\n")
                .find("a.toml:4: error: [[wall]]: 'stiffness' must not be negative"),
            std::string::npos);
  EXPECT_NE(told("[[wall]]\nframe = \"link2\"\nstiffness = 3\nnormal = [0, 0, 0]\n").find("'normal' must not be zero"),
            std::string::npos);
  EXPECT_NE(told("[[spring]]\nframe = \"link2\"\n").find("stiffness"), std::string::npos);
  EXPECT_NE(told("[[damper]]\nframe = \"link2\"\n").find("needs 'linear' or 'angular'"), std::string::npos);
  EXPECT_NE(told("[[damper]]\nframe = \"hand\"\nlinear = 1\n").find("'hand' is not a moving link"), std::string::npos);
  EXPECT_NE(told("[[event]]\nframe = \"link2\"\njoint = \"joint1\"\nposition = 1\n").find("needs 'joint' or 'frame'"),
            std::string::npos);
  EXPECT_NE(told("[[event]]\nframe = \"link2\"\nposition = \"10 deg\"\n").find("give metres"), std::string::npos);
}

}  // namespace
}  // namespace ulna
