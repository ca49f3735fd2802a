// The system that integrators see: its Jacobian by differences, its work integrals by quadrature.
#include <gtest/gtest.h>

#include <random>

#include "support/random_robot.hpp"
#include "support/runs.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/model/random_state.hpp"
#include "ulna/simulate/motion_ode.hpp"

namespace ulna {
namespace {

/// Column k of ∂f/∂y by central differences with one Richardson step.
std::vector<double> column_by_differences(MotionOde& system, std::vector<double> y, std::size_t k) {
  const auto slope = [&](double h) {
    std::vector<double> up(y.size()), down(y.size());
    const double middle = y[k];
    y[k] = middle + h;
    system.rhs(0.3, y, up);
    y[k] = middle - h;
    system.rhs(0.3, y, down);
    y[k] = middle;
    for (std::size_t i = 0; i < y.size(); ++i) up[i] = (up[i] - down[i]) / (2.0 * h);
    return up;
  };
  const std::vector<double> wide = slope(2e-3), narrow = slope(1e-3);
  std::vector<double> best(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) best[i] = (4.0 * narrow[i] - wide[i]) / 3.0;
  return best;
}

/// Differences err by h⁴ times a fifth derivative (1e-12 times what velocities of 1 and friction
/// that fades below 0.5 make of it, some hundreds) and by rounding ε/h = 1e-13: 1e-8 of the column.
void expect_jacobian(const Model& model, const Actions& actions, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  const std::vector<double> q = random_position(model, generator), v = random_velocity(model, generator);
  MotionOde system(model, "auto", actions);
  system.enter(0.0, q, v);
  const std::size_t n = system.size();
  std::vector<double> y(n), J(n * n);
  system.set_state(q, v, y);
  std::uniform_real_distribution<double> away(-0.6, 0.6);  // local coordinates that are not zero
  for (std::size_t k = 0; k < v.size(); ++k) y[k] += away(generator);
  const MatrixView<double> view{J.data(), static_cast<int>(n), static_cast<int>(n)};
  ASSERT_TRUE(system.jacobian(0.3, y, view));
  for (std::size_t k = 0; k < n; ++k) {
    const std::vector<double> expected = column_by_differences(system, y, k);
    double size = 1.0;
    for (const double x : expected) size = std::max(size, std::abs(x));
    for (std::size_t i = 0; i < n; ++i)
      EXPECT_NEAR(view(static_cast<int>(i), static_cast<int>(k)), expected[i], 1e-8 * size)
          << model.name() << " row " << i << " column " << k;
  }
}

PdDrive pd(const Model& model) {
  const auto n = static_cast<std::size_t>(model.nv());
  return {make_reference(CosineMotion{std::vector<double>(n, 0.1), std::vector<double>(n, 0.5), 2.0, 0.3}),
          std::vector<double>(n, 30.0), std::vector<double>(n, 4.0), true};
}

TEST(MotionOde, JacobianIsTheDerivativeOnRobotsWithEveryJoint) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    Graph graph =
        test::random_robot({.bodies = 6, .branched = true, .free_base = seed % 2 == 0, .passive = true}, seed);
    graph.friction_speed = 0.5;
    const Model model = build(graph);
    Actions actions;
    actions.drive = pd(model);
    actions.held.loads.push_back({model.body_count() - 1, {{1, 2, -1}, {3, -2, 1}}});
    expect_jacobian(model, actions, seed);
  }
}

TEST(MotionOde, JacobianOfEveryDrive) {
  const Model model = load("planar3r");
  const PdDrive follow = pd(model);
  const std::vector<double> rows{1, 2, 3, -1, 0, 4};
  for (const DriveSpec& drive : std::vector<DriveSpec>{
           FreeDrive{}, ConstantDrive{{1, 2, 3}}, PlaybackDrive{follow.reference}, follow,
           ComputedTorqueDrive{follow.reference, follow.kp, follow.kd},
           SplineDrive{std::make_shared<CubicSpline>(std::vector{0.0, 1.0}, rows, 3, CubicSpline::Ends::natural)}})
    expect_jacobian(model, {drive, {}, false}, 5);
}

/// By the recursion of the derivatives: friction, springs and rotors of the robot's own, and friction of the run's.
TEST(MotionOde, JacobianOfFeedbackOnPlainJoints) {
  for (const char* name : {"panda_like", "stanford", "puma560"}) {
    Graph graph = load_graph(name);
    graph.friction_speed = 0.5;
    for (GraphJoint& joint : graph.joints) {
      joint.passive.viscous = 0.3;
      joint.passive.coulomb = 0.7;
      joint.passive.armature = 0.2;
      joint.passive.stiffness = 2.0;
    }
    const Model model = build(graph);
    const auto n = static_cast<std::size_t>(model.nv());
    const PdDrive follow = pd(model);
    std::vector<double> gains;
    for (std::size_t k = 0; k < 2 * n * n; ++k) gains.push_back(20.0 * std::sin(static_cast<double>(k)));
    Actions actions{StateFeedbackDrive{follow.reference, gains}, {}, false};
    actions.friction = {std::vector<double>(n, 0.1), std::vector<double>(n, 0.2)};
    expect_jacobian(model, actions, 7);
    actions.drive = ImpedanceDrive{follow.reference, model.tip(), {300, 200, 100}, {10, 20, 30}, {20, 30, 10},
                                   {1, 2, 3},        follow.kp,   follow.kd,       true};
    expect_jacobian(model, actions, 8);
  }
}

TEST(MotionOde, SampledUserCodeStillHasAJacobian) {
  const Model model = load("planar2r");
  Actions actions;
  actions.drive = UserDrive{[](double, auto q, auto, std::span<double> tau) { tau[0] -= 50.0 * q[0]; }};
  std::vector<double> J(49);
  MotionOde continuous(model, "auto", actions);
  EXPECT_FALSE(continuous.jacobian(0.0, std::vector<double>(7), {J.data(), 7, 7}));
  actions.held.sample = 0.1;
  expect_jacobian(model, actions, 6);
}

double simpson(const std::vector<double>& f, double h) {
  double sum = f.front() - f.back();
  for (std::size_t i = 1; i < f.size(); i += 2) sum += 4.0 * f[i] + 2.0 * f[i + 1];
  return sum * h / 3.0;
}

/// Simpson's error h⁴/180·f⁗ with h = 2e-4 and f⁗ below 1e8 (rates of kd/I ~ 100/s) is under 1e-9.
TEST(MotionOde, WorksAreTheIntegralsOfPower) {
  Graph graph = load_graph("planar2r");
  for (GraphJoint& joint : graph.joints) joint.passive.viscous = 0.3;
  const Model model = build(graph);
  SimulationSetup setup;
  setup.q0 = {-1.0, 0.5};
  setup.duration = 1.0;
  setup.every = 2e-4;
  setup.accuracy.relative = setup.accuracy.absolute = 1e-11;
  setup.actions.drive = pd(model);
  const Force<double> load{{0, 0, 0.4}, {2, -1, 0}};
  setup.actions.held.loads.push_back({1, load});
  const test::FinishedRun run = test::finish(model, setup);
  std::vector<double> drives, rubbing, loads;
  for (std::size_t i = 0; i < run.trajectory.size(); ++i) {
    const auto at = [&](const char* name) { return run.trajectory.at(i, name); };
    const double q1 = at("q1"), q12 = q1 + at("q2"), w1 = at("v1"), w12 = w1 + at("v2");
    drives.push_back(at("tau1") * w1 + at("tau2") * at("v2"));
    rubbing.push_back(-0.3 * (w1 * w1 + at("v2") * at("v2")));
    // the second rod's middle, by hand
    const double vx = -std::sin(q1) * w1 - 0.5 * std::sin(q12) * w12,
                 vy = std::cos(q1) * w1 + 0.5 * std::cos(q12) * w12;
    loads.push_back(load.moment.z * w12 + load.force.x * vx + load.force.y * vy);
  }
  EXPECT_NEAR(run.trajectory.at(run.last(), "work_drives"), simpson(drives, 2e-4), 1e-8);
  EXPECT_NEAR(run.trajectory.at(run.last(), "work_friction"), simpson(rubbing, 2e-4), 1e-8);
  EXPECT_NEAR(run.trajectory.at(run.last(), "work_loads"), simpson(loads, 2e-4), 1e-8);
}

}  // namespace
}  // namespace ulna
