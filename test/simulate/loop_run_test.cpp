// Runs of mechanisms with closed loops: against a system in one coordinate, conservation laws, and each other.
#include <gtest/gtest.h>

#include "support/runs.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/loop/assembly.hpp"
#include "ulna/model/build.hpp"

namespace ulna {
namespace {

using test::choose_step;
using test::finish;
using test::FinishedRun;

Model mechanism(const std::string& name) { return build(load_graph(name)); }

double largest(const std::vector<double>& values) {
  double worst = 0.0;
  for (const double x : values) worst = std::max(worst, std::abs(x));
  return worst;
}

/// The bundled slider-crank, by hand: I(θ) θ̈ + ½ I′ θ̇² + V′ = 0 with crank 0.3 m, rod 0.8 m, masses 1, 1.5, 0.8 kg.
class ByHand final : public Ode<double> {
 public:
  std::size_t size() const override { return 2; }
  void rhs(const double&, std::span<const double> y, std::span<double> dy) override {
    const double h = 1e-3, slope = (inertia(y[0] - 2 * h) - 8 * inertia(y[0] - h) + 8 * inertia(y[0] + h) -
                                    inertia(y[0] + 2 * h)) /
                                   (12 * h);
    dy[0] = y[1];
    dy[1] = -(0.5 * slope * y[1] * y[1] + weight(y[0])) / inertia(y[0]);
  }
  /// Half of it times θ̇² is the kinetic energy.
  static double inertia(double angle) {
    const double s = std::sin(angle), c = std::cos(angle);
    const double rod = std::asin(-r * s / l), rate = -r * c / (l * std::cos(rod));  // of the rod, per rate of the crank
    const double vx = -r * s - 0.5 * l * std::sin(rod) * rate, vy = r * c + 0.5 * l * std::cos(rod) * rate;
    const double slider = -r * s - l * std::sin(rod) * rate;
    return (0.0075 + 1.0 * 0.15 * 0.15) + 1.5 * (vx * vx + vy * vy) + 0.08 * rate * rate + 0.8 * slider * slider;
  }

 private:
  static constexpr double r = 0.3, l = 0.8;
  /// V′: mass centres of crank and rod are at half of r sin θ.
  static double weight(double angle) { return 9.81 * (1.0 * 0.15 + 1.5 * 0.15) * std::cos(angle); }
};

SimulationSetup swinging() {
  SimulationSetup setup;
  setup.q0 = {0.4, -0.5, -0.02};
  setup.accuracy.relative = setup.accuracy.absolute = 1e-10;
  setup.every = 0.05;
  return setup;
}

TEST(ClosedRun, UndrivenSliderCrankIsTheSystemInOneCoordinate) {
  SimulationSetup setup = swinging();
  setup.accuracy.relative = setup.accuracy.absolute = 1e-12;
  const FinishedRun run = finish(mechanism("slider_crank"), setup);
  ASSERT_EQ(run.result.status, RunStatus::completed) << run.result.reason;
  ByHand system;
  const auto integrator = make_integrator("dop853", system, {1e-12, 1e-12, 0.0, 0.0});
  integrator->start(0.0, std::vector{run.trajectory.at(0, "q1"), 0.0});
  while (integrator->time() < 10.0) ASSERT_EQ(integrator->step(10.0), StepStatus::ok);
  // the differences of I are good to 1e-11; ten swings add up what steps and they are off
  EXPECT_NEAR(run.trajectory.at(run.last(), "q1"), integrator->state()[0], 1e-9);
  EXPECT_NEAR(run.trajectory.at(run.last(), "v1"), integrator->state()[1], 1e-8);
}

TEST(ClosedRun, UndrivenSliderCrankKeepsItsEnergy) {
  const FinishedRun run = finish(mechanism("slider_crank"), swinging());
  ASSERT_EQ(run.result.status, RunStatus::completed) << run.result.reason;
  EXPECT_LT(run.result.largest_imbalance, 1e-9 * run.result.largest_energy);
  EXPECT_LT(run.result.largest_residual, 1e-10);
  EXPECT_LT(largest(run.column("residual")), 1e-10);
}

/// The tolerance bounds the error of a step; what a swing of 3 s adds up is a thousand times as much at most.
TEST(ClosedRun, EveryIntegratorGivesTheSameMotion) {
  SimulationSetup setup = swinging();
  setup.duration = 3.0;
  const Model model = mechanism("slider_crank");
  const FinishedRun truth = finish(model, setup);
  for (const IntegratorInfo& info : integrators()) {
    setup.integrator = info.name;
    setup.accuracy = {1e-9, 1e-9, 0.0, 0.0};
    choose_step(setup);
    const FinishedRun run = finish(model, setup);
    ASSERT_EQ(run.result.status, RunStatus::completed) << info.name << ": " << run.result.reason;
    EXPECT_LT(largest(run.column("residual")), 1e-10) << info.name;
    EXPECT_LT(test::largest_difference(run.column("q1"), truth.column("q1")), 1e-6) << info.name;
    EXPECT_LT(test::largest_difference(run.column("q3"), truth.column("q3")), 1e-6) << info.name;
  }
}

TEST(ClosedRun, BothMethodsGiveTheSameMotion) {
  for (const char* name : {"four_bar", "five_bar", "stewart"}) {
    SimulationSetup setup;
    setup.duration = 0.3;
    setup.actions.drive = ConstantDrive{std::vector<double>(static_cast<std::size_t>(mechanism(name).nv()), 0.5)};
    const FinishedRun schur = finish(mechanism(name), setup);
    setup.method = "independent";
    const FinishedRun independent = finish(mechanism(name), setup);
    ASSERT_EQ(schur.result.status, RunStatus::completed) << name << schur.result.reason;
    EXPECT_LT(test::largest_difference(schur.result.final_q, independent.result.final_q), 1e-8) << name;
    EXPECT_LT(test::largest_difference(schur.column("force1_y"), independent.column("force1_y")),
              1e-6 * std::max(1.0, largest(schur.column("force1_y"))))
        << name;
  }
}

/// Without projection the residual is no longer rounding, but it does not grow either.
TEST(ClosedRun, BaumgarteHoldsTheResidual) {
  SimulationSetup setup = swinging();
  setup.baumgarte = 20.0;
  setup.accuracy.relative = setup.accuracy.absolute = 1e-9;
  const FinishedRun run = finish(mechanism("slider_crank"), setup);
  ASSERT_EQ(run.result.status, RunStatus::completed);
  EXPECT_GT(run.result.largest_residual, 1e-12);
  EXPECT_LT(run.result.largest_residual, 1e-8);
  EXPECT_LT(run.result.largest_imbalance, 1e-6 * run.result.largest_energy);
}

/// Impulses in cut joints are inner ones: a floating mechanism keeps its momentum, projection or not.
TEST(ClosedRun, FloatingMechanismKeepsItsMomentum) {
  Graph graph = load_graph("dual_arm");
  graph.free_base = true;
  graph.gravity = {0, 0, 0};
  SimulationSetup setup;
  setup.duration = 2.0;
  setup.every = 0.1;
  setup.accuracy.relative = setup.accuracy.absolute = 1e-10;
  for (int k = 0; k < 20; ++k) setup.v0.push_back(0.3 * std::sin(1.0 + 3.0 * k));
  for (const char* integrator : {"dop853", "bdf"}) {
    setup.integrator = integrator;
    const FinishedRun run = finish(build(graph), setup);
    ASSERT_EQ(run.result.status, RunStatus::completed) << run.result.reason;
    EXPECT_LT(run.result.largest_residual, 1e-10) << integrator;
    for (const char* name : {"momentum_x", "momentum_y", "momentum_z", "spin_x", "spin_y", "spin_z"}) {
      const std::vector<double> column = run.column(name);
      for (const double x : column) EXPECT_NEAR(x, column[0], 1e-7) << integrator << ' ' << name;
    }
  }
}

/// A free body on a ball joint to the ground is a pendulum; its joint's linear velocity is in its own axes.
TEST(ClosedRun, FreeBodyOnABallIsAPendulum) {
  Graph graph;
  graph.name = "pendulum";
  graph.gravity = {0, 0, -9.81};
  graph.bodies = {{"ground", {}, {}, {}}, {"bob", {2.0, {0.5, 0, 0}, {0.1, 0.2, 0.3, 0, 0, 0}}, {}, {}}};
  GraphJoint fly;
  fly.name = "fly";
  fly.kind = JointKind::free;
  fly.parent = "ground";
  fly.child = "bob";
  graph.joints = {fly};
  GraphLoop ball;
  ball.name = "ball";
  ball.kind = JointKind::spherical;
  ball.parent = "ground";
  ball.child = "bob";
  graph.loops = {ball};
  Graph hinged = graph;
  hinged.loops.clear();
  hinged.joints[0].kind = JointKind::spherical;
  SimulationSetup setup;
  setup.duration = 5.0;
  setup.every = 0.1;
  setup.at_limits = EventAction::ignore;
  setup.v0 = {0.3, 0, 1.0, 0, 0, 0};
  for (const char* integrator : {"dop853", "bdf"}) {
    setup.integrator = integrator;
    setup.v0.resize(6);
    const FinishedRun loop = finish(build(graph), setup);
    ASSERT_EQ(loop.result.status, RunStatus::completed) << integrator << ": " << loop.result.reason;
    EXPECT_LT(loop.result.largest_residual, 1e-10);
    setup.v0.resize(3);
    const FinishedRun tree = finish(build(hinged), setup);
    for (const char* name : {"tip_qx", "tip_qy", "tip_qz", "tip_qw"})
      EXPECT_LT(test::largest_difference(loop.column(name), tree.column(name)), 1e-5) << integrator << ' ' << name;
  }
}

TEST(ClosedRun, EventsAreFoundOnTheMechanism) {
  SimulationSetup setup = swinging();
  setup.watched = {{2, false, -0.1, EventAction::stop, "slider at -0.1"}};
  const FinishedRun run = finish(mechanism("slider_crank"), setup);
  ASSERT_EQ(run.result.status, RunStatus::stopped_by_event);
  EXPECT_NEAR(run.trajectory.at(run.last(), "q3"), -0.1, 1e-9);
  EXPECT_LT(run.trajectory.at(run.last(), "residual"), 1e-10);
}

TEST(ClosedRun, ReactionsCarryTheWeight) {
  SimulationSetup setup;  // a crank that hangs straight down and stays there: the pin carries half of the rod
  const Model model = mechanism("slider_crank");
  setup.q0 = assemble(model, std::vector{-M_PI / 2, M_PI / 2 + std::asin(0.3 / 0.8), -0.36}, std::vector{0}).q;
  setup.duration = 0.01;
  const FinishedRun run = finish(model, setup);
  // the slider rests on its guide, the rod's half weight acts on the pin, which pushes the slider down
  EXPECT_NEAR(run.trajectory.at(0, "force1_y"), -0.5 * 1.5 * 9.81, 1e-9);
}

TEST(ClosedRun, RefusesWhatItCannotRun) {
  const auto refusal = [](const Model& model, const SimulationSetup& setup) -> std::string {
    try {
      finish(model, setup);
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  Graph open = load_graph("slider_crank");
  open.joints[2].in_parent.p = {0, 5.0, 0};  // a guide far above what crank and rod reach
  const std::string miss = refusal(build(open), {});
  EXPECT_NE(miss.find("'slider_pin' is off by"), std::string::npos) << miss;
  SimulationSetup setup;
  setup.method = "denoc";
  EXPECT_NE(refusal(mechanism("four_bar"), setup).find("not for robots with closed loops"), std::string::npos);
  setup = {};
  setup.actions.drive = PlaybackDrive{make_reference(CosineMotion{{0, 0, 0}, {1, 1, 1}, 1.0, 0.0})};
  EXPECT_NE(refusal(mechanism("four_bar"), setup).find("without closed loops"), std::string::npos);
  setup = {};
  setup.baumgarte = -1.0;
  EXPECT_NE(refusal(mechanism("four_bar"), setup).find("Baumgarte"), std::string::npos);
}

}  // namespace
}  // namespace ulna
