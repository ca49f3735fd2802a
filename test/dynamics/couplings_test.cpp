// Motors that several joints share, against the same robot without them: motors turn by θ = G q, so that they add
// GᵀJG to M and Gᵀ f(G v) to the forces, and take τ = Gᵀ τ_motor.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "loop/other_ways.hpp"
#include "support/differential.hpp"
#include "support/random_robot.hpp"
#include "support/tolerance.hpp"
#include "ulna/dynamics/articulated_body/derivatives.hpp"
#include "ulna/dynamics/articulated_body/parallel.hpp"
#include "ulna/dynamics/newton_euler/derivatives.hpp"
#include "ulna/dynamics/parallel_method.hpp"
#include "ulna/eigen.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/io/robot/write.hpp"
#include "ulna/loop/constrained_dynamics.hpp"
#include "ulna/model/random_state.hpp"
#include "ulna/model/transform.hpp"
#include "ulna/simulate/motion_ode.hpp"
#include "ulna/simulate/simulation.hpp"

namespace ulna {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double epsilon = 2.3e-16;

MatrixXd matrix(int rows, int columns) { return MatrixXd::Zero(rows, columns); }
MatrixView<double> view(MatrixXd& M) { return {M.data(), static_cast<int>(M.rows()), static_cast<int>(M.cols())}; }

/// Joints of a random robot that share motors: three in one coupling, two in another.
Graph coupled_robot(std::uint64_t seed) {
  Graph graph = test::random_robot(
      {.bodies = 6, .branched = seed % 2 == 0, .only_one_degree = true, .passive = seed % 3 == 0}, seed);
  std::mt19937_64 generator(seed);
  std::uniform_real_distribution<double> u(-3.0, 3.0), positive(0.01, 0.1);
  const auto couple = [&](const char* name, std::vector<std::string> joints) {
    GraphCoupling coupling{.name = name, .joints = std::move(joints)};
    for (std::size_t m = 0; m < coupling.joints.size(); ++m) {
      GraphMotor motor{.inertia = positive(generator), .viscous = positive(generator)};
      for (std::size_t j = 0; j < coupling.joints.size(); ++j)
        motor.gears.push_back(u(generator) + (j == m ? 8.0 : 0.0));
      coupling.motors.push_back(motor);
    }
    graph.couplings.push_back(coupling);
  };
  couple("wrist", {"joint6", "joint2", "joint4"});
  couple("shoulder", {"joint1", "joint3"});
  return graph;
}

Graph without_couplings(Graph graph) {
  graph.couplings.clear();
  return graph;
}

class Couplings : public ::testing::TestWithParam<std::uint64_t> {
 protected:
  Couplings()
      : graph(coupled_robot(GetParam())),
        coupled(build(graph)),
        plain(build(without_couplings(graph))),
        n(coupled.nv()),
        GtJG(matrix(n, n)),
        GtBG(matrix(n, n)),
        generator(GetParam()) {
    for (const GraphCoupling& coupling : graph.couplings) {
      for (const GraphMotor& motor : coupling.motors) {
        VectorXd row = VectorXd::Zero(n);
        for (std::size_t j = 0; j < coupling.joints.size(); ++j)
          row[coupled.bodies()[static_cast<std::size_t>(coupled.find_joint(coupling.joints[j])->body)].v_index] =
              motor.gears[j];
        GtJG += motor.inertia * row * row.transpose();
        GtBG += motor.viscous * row * row.transpose();
      }
    }
  }

  void next() {
    q = random_position(coupled, generator);
    v = random_velocity(coupled, generator, 1.5);
    a = random_velocity(coupled, generator, 2.0);
    tolerance = test::torque_tolerance(coupled, test::scale_of(coupled, q, v, a), epsilon) +
                4.0 * epsilon * n * (GtJG.norm() + GtBG.norm()) * 2.0;
  }
  VectorXd eigen(const std::vector<double>& x) const { return Eigen::Map<const VectorXd>(x.data(), n); }

  Graph graph;
  Model coupled, plain;
  int n;
  MatrixXd GtJG, GtBG;
  std::mt19937_64 generator;
  std::vector<double> q, v, a;
  double tolerance = 0.0;
};

TEST_P(Couplings, EveryFormulationThatTakesThemHasThem) {
  int count = 0;
  for (const MethodInfo& info : methods()) {
    if (!info.refusal(coupled).empty()) continue;
    ++count;
    for (int k = 0; k < 10; ++k) {
      next();
      MatrixXd M = matrix(n, n), N = M;
      VectorXd tau(n), bare(n), solved(n);
      newton_euler::Workspace<double> ws(plain);
      newton_euler::inverse_dynamics(plain, ws, q, v, a, bare);
      const VectorXd expected = bare + GtJG * eigen(a) + GtBG * eigen(v);
      if (info.can(Quantity::inverse_dynamics)) {
        make_method<double>(info.name, Quantity::inverse_dynamics, coupled)->inverse_dynamics(q, v, a, tau);
        EXPECT_LE((tau - expected).cwiseAbs().maxCoeff(), tolerance) << info.name;
      }
      if (info.can(Quantity::mass_matrix)) {
        make_method<double>(info.name, Quantity::mass_matrix, coupled)->mass_matrix(q, view(M));
        make_method<double>(info.name, Quantity::mass_matrix, plain)->mass_matrix(q, view(N));
        EXPECT_LE((M - N - GtJG).cwiseAbs().maxCoeff(), tolerance) << info.name;
      }
      if (info.can(Quantity::forward_dynamics)) {
        make_method<double>(info.name, Quantity::forward_dynamics, coupled)->forward_dynamics(q, v, expected, solved);
        const test::StateScale own = test::scale_of(coupled, q, v, a);
        EXPECT_LE((solved - eigen(a)).cwiseAbs().maxCoeff(),
                  test::acceleration_tolerance(coupled, own, epsilon) + tolerance * own.inverse)
            << info.name;
      }
    }
  }
  EXPECT_EQ(count, coupled.is_serial() ? 4 : 2);
}

TEST_P(Couplings, AreInDerivativesAndEnergy) {
  newton_euler::DerivativeWorkspace<double> one(coupled), other(plain);
  articulated_body::DerivativeWorkspace<double> solve(coupled);
  newton_euler::Workspace<double> inverse(coupled);
  Kinematics<double> moving(coupled), bare(plain);
  MatrixXd dq = matrix(n, n), dv = dq, M = dq, Dq = dq, Dv = dq, N = dq, Fq = dq, Fv = dq, Ft = dq;
  VectorXd tau(n), solved(n);
  for (int k = 0; k < 10; ++k) {
    next();
    newton_euler::inverse_derivatives(coupled, one, q, v, a, view(dq), view(dv), view(M));
    newton_euler::inverse_derivatives(plain, other, q, v, a, view(Dq), view(Dv), view(N));
    EXPECT_LE((dq - Dq).cwiseAbs().maxCoeff(), tolerance);
    EXPECT_LE((dv - Dv - GtBG).cwiseAbs().maxCoeff(), tolerance);
    EXPECT_LE((M - N - GtJG).cwiseAbs().maxCoeff(), tolerance);
    newton_euler::inverse_dynamics(coupled, inverse, q, v, a, tau);
    articulated_body::forward_derivatives(coupled, solve, q, v, tau, solved, view(Fq), view(Fv), view(Ft));
    const test::StateScale own = test::scale_of(coupled, q, v, a);
    const double within = (dq.norm() + dv.norm() + 1.0) * own.inverse * own.condition * n * 1e-14;
    EXPECT_LE((Ft - M.inverse()).cwiseAbs().maxCoeff(), within);
    EXPECT_LE((Fv + M.inverse() * dv).cwiseAbs().maxCoeff(), within);
    moving.update_positions(q);
    moving.update_velocities(v);
    bare.update_positions(q);
    bare.update_velocities(v);
    EXPECT_NEAR(moving.kinetic_energy(v), bare.kinetic_energy(v) + 0.5 * eigen(v).dot(GtJG * eigen(v)), tolerance);
  }
}

TEST_P(Couplings, SurviveRegroupingAndFiles) {
  const Model moved = regrouped(coupled);
  const Model read = build(parse_toml(to_toml(graph), "written.toml"));
  newton_euler::Workspace<double> one(coupled), other(moved), third(read);
  VectorXd x(n), y(n), z(n);
  for (int k = 0; k < 10; ++k) {
    next();
    newton_euler::inverse_dynamics(coupled, one, q, v, a, x);
    newton_euler::inverse_dynamics(moved, other, q, v, a, y);
    newton_euler::inverse_dynamics(read, third, q, v, a, z);
    EXPECT_LE((x - y).cwiseAbs().maxCoeff(), 10.0 * tolerance);
    EXPECT_LE((x - z).cwiseAbs().maxCoeff(), tolerance);
  }
}

TEST_P(Couplings, KeepTheEnergyBalance) {
  for (GraphCoupling& coupling : graph.couplings)
    for (GraphMotor& motor : coupling.motors) motor.coulomb = 0.05;
  const Model model = build(graph);
  next();
  SimulationSetup setup;
  setup.q0 = q;
  setup.v0 = v;
  setup.duration = 1.0;
  setup.accuracy.relative = setup.accuracy.absolute = 1e-10;
  Trajectory trajectory;
  const RunResult result = simulate(model, setup, trajectory);
  ASSERT_EQ(result.status, RunStatus::completed) << result.reason;
  EXPECT_LE(result.largest_imbalance, 1e-7 * result.largest_energy);
}

INSTANTIATE_TEST_SUITE_P(Random, Couplings, ::testing::Range<std::uint64_t>(1, 9));

using test::bevel;
using test::differential;

TEST(Differential, ByHand) {
  const Model model = build(parse_toml(differential(bevel), "wrist.toml"));
  composite_body::Workspace<double> ws(model);
  std::vector<double> M(4);
  composite_body::mass_matrix(model, ws, std::vector{0.3, 0.0}, {M.data(), 2, 2});
  EXPECT_NEAR(M[0], 0.02 + 0.03 + 2500 * 3e-5, 1e-15);
  EXPECT_NEAR(M[3], 0.01 + 2500 * 3e-5, 1e-15);
  EXPECT_NEAR(M[1], 2500 * 1e-5, 1e-15);
  EXPECT_EQ(M[1], M[2]);
  // Together they give 50 (0.1 + 0.2) N m to either joint; the second motor's speed is not limited.
  EXPECT_NEAR(model.joints()[0].limits.effort, 15.0, 1e-12);
  EXPECT_TRUE(std::isinf(model.joints()[1].limits.velocity));
}

/// A torque about pitch alone is 1/100 of it from each motor; the weaker one stops at 0.1 N m, so that roll gets some.
TEST(Differential, MotorsSaturateOneByOne) {
  const Model model = build(parse_toml(differential(bevel), "wrist.toml"));
  Actions actions;
  actions.drive = ConstantDrive{{14.0, 0.0}};
  actions.saturate = true;
  MotionOde system(model, "auto", actions);
  const std::vector<double> zero(2, 0.0);
  std::vector<double> a(2), tau(2);
  system.enter(0.0, zero, zero);
  system.accelerations(0.0, zero, zero, a, tau);
  EXPECT_NEAR(tau[0], 50.0 * (0.1 + 0.14), 1e-12);
  EXPECT_NEAR(tau[1], 50.0 * (0.1 - 0.14), 1e-12);
}

TEST(Differential, OthersRefuseItWithAWord) {
  const Model model = build(parse_toml(differential(bevel), "wrist.toml"));
  EXPECT_THROW(articulated_body::Workspace<double>{model}, InputError);
  EXPECT_EQ(automatic_method(Quantity::forward_dynamics, model), "composite_body");
  for (const char* name : {"articulated_body", "denoc", "constraint_force"})
    EXPECT_NE(method_info(name).refusal(model).find("'bevel', which joints share"), std::string::npos) << name;
}

/// Long chains go by segments on threads, which solve joint by joint as well.
TEST(Couplings, OfLongChainsAreNotLost) {
  Graph graph = load_graph("chain:500");
  graph.couplings.push_back({.name = "pair", .joints = {graph.joints[3].name, graph.joints[4].name}});
  graph.couplings[0].motors = {{.gears = {5, 5}, .inertia = 0.1}, {.gears = {5, -5}, .inertia = 0.1}};
  const Model model = build(graph);
  EXPECT_THROW(articulated_body::ParallelSolver{model}, InputError);
  const std::unique_ptr<Method<double>> solver = make_parallel_method("auto", model, 2);
  std::mt19937_64 generator(1);
  const std::vector<double> q = random_position(model, generator), v = random_velocity(model, generator),
                            tau = random_velocity(model, generator);
  std::vector<double> one(v.size()), other(v.size());
  solver->forward_dynamics(q, v, tau, one);
  make_method<double>("composite_body", Quantity::forward_dynamics, model)->forward_dynamics(q, v, tau, other);
  EXPECT_EQ(one, other);
}

TEST(Differential, RefusesWhatCannotBe) {
  const auto expect = [](const std::string& text, const char* words) {
    std::string message = "nothing";
    try {
      build(parse_toml(differential(text), "wrist.toml"));
    } catch (const InputError& e) {
      message = e.what();
    }
    EXPECT_NE(message.find(words), std::string::npos) << text << message;
  };
  const auto coupling = [](const std::string& joints, const std::string& motors) {
    return "[[coupling]]\nname = \"bevel\"\njoints = " + joints + "\n" + motors;
  };
  const auto motor = [](const std::string& gears, const std::string& more = "") {
    return "[[coupling.motor]]\ngears = " + gears + "\n" + more + "\n";
  };
  const std::string both = R"(["pitch", "roll"])";
  expect(coupling(both, motor("[1, 1]") + motor("[2, 2]")), "two of them do the same");
  expect(coupling(both, motor("[1, 1]")), "1 motors for 2 joints");
  expect(coupling(both, motor("[1, 1]") + motor("[1]")), "1 gears for 2 joints");
  expect(coupling(R"(["pitch", "yaw"])", motor("[1, 0]") + motor("[0, 1]")), "'yaw', which does not exist");
  expect(coupling(R"(["pitch", "pitch"])", motor("[1, 0]") + motor("[0, 1]")), "coupled twice");
  expect(coupling(R"(["pitch"])", motor("[1]")), "fewer than two");
  expect(coupling(both, motor("[1, 0]", "inertia = -1") + motor("[0, 1]")), "negative");
  expect(coupling(both, motor("[1, nan]") + motor("[0, 1]")), "finite");
  expect(coupling(both, motor("[1, 0]", "torque_by_speed = [[0, 1], [10, 1]]") + motor("[0, 1]")), "efforts fall");
  expect(coupling(both, motor("[1, 0]", "efficiency = 2") + motor("[0, 1]")), "above 1");
  expect(coupling(both, ""), "'motor' is missing");
  expect(coupling(both, motor("[1, 0]", "gear = 3") + motor("[0, 1]")), "gear");
}

/// A coupled chain held at its end by a ball: the ways to the constrained dynamics agree.
TEST(Couplings, CloseLoops) {
  Graph graph = test::random_robot({.bodies = 7, .only_one_degree = true}, 11);
  for (GraphJoint& joint : graph.joints) joint.kind = JointKind::revolute, joint.pitch = 0.0;
  graph.couplings = coupled_robot(11).couplings;
  const Model open = build(graph);
  std::mt19937_64 generator(3);
  const std::vector<double> q = random_position(open, generator);
  Kinematics<double> kinematics(open);
  kinematics.update_positions(q);
  const Pose<double> tip = kinematics.pose(*open.find_frame("body7"));
  graph.loops.push_back({"ball", JointKind::spherical, "root", "body7", tip, Pose<double>::identity(), 0.0, {}});
  const Model model = build(graph);
  ConstrainedDynamics dynamics(model);
  std::vector<double> v = random_velocity(model, generator);
  dynamics.project_velocity(q, v);
  test::expect_other_ways_agree(model, q, v, random_velocity(model, generator, 5.0));
}

}  // namespace
}  // namespace ulna
