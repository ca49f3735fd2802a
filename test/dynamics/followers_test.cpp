// Joints that follow others, against the same robot with all joints on their own: with q' = S q + c of all its joints,
// τ = Sᵀτ', M = SᵀM'S, J = J'S, and so on.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "loop/other_ways.hpp"
#include "support/random_robot.hpp"
#include "support/tolerance.hpp"
#include "ulna/dynamics/articulated_body/derivatives.hpp"
#include "ulna/dynamics/composite_body/coriolis.hpp"
#include "ulna/dynamics/newton_euler/convective_inertia.hpp"
#include "ulna/dynamics/newton_euler/derivatives.hpp"
#include "ulna/eigen.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/io/robot/write.hpp"
#include "ulna/loop/constrained_dynamics.hpp"
#include "ulna/model/random_state.hpp"
#include "ulna/model/transform.hpp"
#include "ulna/simulate/simulation.hpp"

namespace ulna {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

Graph following_robot(std::uint64_t seed) {
  Graph graph = test::random_robot({.bodies = 8,
                                    .branched = seed % 2 == 0,
                                    .free_base = seed % 3 == 0,
                                    .only_one_degree = seed % 4 == 1,
                                    .passive = seed % 5 == 0},
                                   seed);
  for (std::size_t k = 0; k < 3; ++k)
    if (!has_one_degree(graph.joints[2 * k + 1].kind)) graph.joints[2 * k + 1].kind = JointKind::revolute;
  for (GraphJoint& joint : graph.joints)
    if (joint.kind == JointKind::revolute) joint.pitch = 0.0;
  test::let_follow(graph, seed);
  return graph;
}

Graph without_followers(Graph graph) {
  for (GraphJoint& joint : graph.joints) joint.mimic.reset();
  return graph;
}

MatrixXd matrix(int rows, int columns) { return MatrixXd::Zero(rows, columns); }
MatrixView<double> view(MatrixXd& M) { return {M.data(), static_cast<int>(M.rows()), static_cast<int>(M.cols())}; }

class Followers : public ::testing::TestWithParam<std::uint64_t> {
 protected:
  Followers()
      : graph(following_robot(GetParam())),
        coupled(build(graph)),
        full(build(without_followers(graph))),
        S(matrix(full.nv(), coupled.nv())),
        c(VectorXd::Zero(full.nv())),
        generator(GetParam()) {
    for (const JointInfo& joint : full.joints()) {
      const Body& body = full.bodies()[static_cast<std::size_t>(joint.body)];
      const GraphJoint* written = find_joint(graph, joint.name);
      double multiplier = 1.0, offset = 0.0;
      while (written != nullptr && written->mimic) {
        offset += multiplier * written->mimic->offset;
        multiplier *= written->mimic->multiplier;
        written = find_joint(graph, written->mimic->joint);
      }
      const JointInfo* own = coupled.find_joint(written == nullptr ? joint.name : written->name);
      const int first = coupled.bodies()[static_cast<std::size_t>(own->body)].v_index;
      for (int k = 0; k < degrees_of(joint.kind); ++k) S(body.v_index + k, first + k) = multiplier;
      c[body.v_index] = offset;
    }
  }

  void next() {
    q = random_position(coupled, generator);
    v = random_velocity(coupled, generator, 1.5);
    a = random_velocity(coupled, generator, 2.0);
    full_v = S * Eigen::Map<VectorXd>(v.data(), coupled.nv());
    full_a = S * Eigen::Map<VectorXd>(a.data(), coupled.nv());
    full_q = full.neutral();
    for (const JointInfo& joint : full.joints()) {
      const Body& body = full.bodies()[static_cast<std::size_t>(joint.body)];
      if (const JointInfo* own = coupled.find_joint(joint.name)) {
        const Body& same = coupled.bodies()[static_cast<std::size_t>(own->body)];
        for (std::size_t k = 0; k < position_numbers(joint.kind).size(); ++k)
          full_q[static_cast<std::size_t>(body.q_index) + k] = q[static_cast<std::size_t>(same.q_index) + k];
        continue;
      }
      double x = c[body.v_index];
      for (int k = 0; k < coupled.nv(); ++k)
        if (S(body.v_index, k) != 0.0)
          x += S(body.v_index, k) * q[static_cast<std::size_t>(coupled.q_of_v()[static_cast<std::size_t>(k)])];
      full_q[static_cast<std::size_t>(body.q_index)] = x;
    }
    std::vector<double> fv(full_v.begin(), full_v.end()), fa(full_a.begin(), full_a.end());
    scale = test::scale_of(full, full_q, fv, fa);
    // Sᵀ sums over the followers of a joint.
    tolerance = test::torque_tolerance(full, scale, 2.3e-16) * std::max(1.0, (S.transpose() * S).norm());
  }

  void expect_near(const MatrixXd& x, const MatrixXd& y, double within, const char* what) const {
    ASSERT_EQ(x.rows(), y.rows());
    ASSERT_EQ(x.cols(), y.cols());
    EXPECT_LE((x - y).cwiseAbs().maxCoeff(), within) << what << " of " << graph.name;
  }

  Graph graph;
  Model coupled, full;
  MatrixXd S;
  VectorXd c;
  std::mt19937_64 generator;
  std::vector<double> q, v, a, full_q;
  VectorXd full_v, full_a;
  test::StateScale scale{};
  double tolerance = 0.0;
};

TEST_P(Followers, HaveOneCoordinateLessEach) {
  int mimics = 0;
  for (const GraphJoint& joint : graph.joints) mimics += joint.mimic ? 1 : 0;
  ASSERT_GT(mimics, 0);
  EXPECT_EQ(coupled.nv() + mimics, full.nv());
  EXPECT_EQ(coupled.followers().size(), static_cast<std::size_t>(mimics));
  EXPECT_EQ(coupled.body_count(), full.body_count());
}

TEST_P(Followers, MoveAsTheFullRobot) {
  Kinematics<double> one(coupled), other(full);
  MatrixXd J = matrix(6, coupled.nv()), K = matrix(6, full.nv());
  for (int k = 0; k < 10; ++k) {
    next();
    one.update_positions(q);
    one.update_velocities(v);
    one.update_accelerations(v, a);
    other.update_positions(full_q);
    other.update_velocities(full_v);
    other.update_accelerations(full_v, full_a);
    for (const Frame& link : coupled.links()) {
      const Frame& same = *full.find_frame(link.name);
      const auto x = one.rates_of(link), y = other.rates_of(same);
      EXPECT_LT(norm(x.pose.p - y.pose.p), 1e-12);
      EXPECT_LT(norm(x.velocity - y.velocity), 1e-11);
      EXPECT_LT(norm(x.acceleration - y.acceleration), 1e-10);
      one.jacobian(link, Reference::world_axes, view(J));
      other.jacobian(same, Reference::world_axes, view(K));
      expect_near(J, K * S, 1e-12, "the Jacobian");
    }
    EXPECT_NEAR(one.kinetic_energy(v), other.kinetic_energy(full_v), tolerance);
  }
}

TEST_P(Followers, HaveTheDynamicsOfTheFullRobot) {
  const int n = coupled.nv(), m = full.nv();
  newton_euler::Workspace<double> one(coupled), other(full);
  composite_body::Workspace<double> one_M(coupled), other_M(full);
  composite_body::CoriolisWorkspace<double> one_C(coupled), other_C(full);
  newton_euler::ConvectiveWorkspace<double> one_N(coupled), other_N(full);
  VectorXd tau(n), full_tau(m), solved(n);
  MatrixXd M = matrix(n, n), full_M = matrix(m, m);
  for (int k = 0; k < 10; ++k) {
    next();
    newton_euler::inverse_dynamics(coupled, one, q, v, a, tau);
    newton_euler::inverse_dynamics(full, other, full_q, full_v, full_a, full_tau);
    // Coulomb friction fades by the speed of each joint: compared where there is none.
    const bool smooth = std::ranges::all_of(full.coulomb(), [](double x) { return x == 0.0; });
    if (smooth) expect_near(tau, S.transpose() * full_tau, tolerance, "inverse dynamics");
    composite_body::mass_matrix(coupled, one_M, q, view(M));
    composite_body::mass_matrix(full, other_M, full_q, view(full_M));
    expect_near(M, S.transpose() * full_M * S, tolerance, "M");
    composite_body::coriolis_matrix(coupled, one_C, q, v, view(M));
    composite_body::coriolis_matrix(full, other_C, full_q, full_v, view(full_M));
    expect_near(M, S.transpose() * full_M * S, tolerance, "C");
    newton_euler::convective_inertia(coupled, one_N, q, v, view(M));
    newton_euler::convective_inertia(full, other_N, full_q, full_v, view(full_M));
    expect_near(M * Eigen::Map<VectorXd>(v.data(), n), S.transpose() * (full_M * full_v), tolerance, "MCI v");
    composite_body::forward_dynamics(coupled, one_M, q, v, tau, solved);
    const test::StateScale own = test::scale_of(coupled, q, v, a);
    expect_near(solved, Eigen::Map<VectorXd>(a.data(), n),
                test::acceleration_tolerance(coupled, own, 2.3e-16) + tolerance * own.inverse, "forward dynamics");
  }
}

TEST_P(Followers, HaveTheDerivativesOfTheFullRobot) {
  const bool smooth = std::ranges::all_of(full.coulomb(), [](double x) { return x == 0.0; });
  if (!smooth) GTEST_SKIP() << "Coulomb friction fades by the speed of each joint";
  const int n = coupled.nv(), m = full.nv();
  newton_euler::DerivativeWorkspace<double> one(coupled), other(full);
  articulated_body::DerivativeWorkspace<double> solve(coupled);
  newton_euler::Workspace<double> inverse(coupled);
  MatrixXd dq = matrix(n, n), dv = dq, M = dq, Dq = matrix(m, m), Dv = Dq, N = Dq, Fq = dq, Fv = dq, Ft = dq;
  VectorXd tau(n), solved(n);
  for (int k = 0; k < 10; ++k) {
    next();
    newton_euler::inverse_derivatives(coupled, one, q, v, a, view(dq), view(dv), view(M));
    newton_euler::inverse_derivatives(full, other, full_q, full_v, full_a, view(Dq), view(Dv), view(N));
    expect_near(dq, S.transpose() * Dq * S, tolerance, "dτ/dq");
    expect_near(dv, S.transpose() * Dv * S, tolerance, "dτ/dv");
    expect_near(M, S.transpose() * N * S, tolerance, "M beside the derivatives");
    newton_euler::inverse_dynamics(coupled, inverse, q, v, a, tau);
    articulated_body::forward_derivatives(coupled, solve, q, v, tau, solved, view(Fq), view(Fv), view(Ft));
    const test::StateScale own = test::scale_of(coupled, q, v, a);
    const double within = (dq.norm() + dv.norm() + 1.0) * own.inverse * own.condition * n * 1e-14;
    expect_near(Ft, M.inverse(), within, "da/dτ");
    expect_near(Fq, -M.inverse() * dq, within, "da/dq");
    expect_near(Fv, -M.inverse() * dv, within, "da/dv");
  }
}

TEST_P(Followers, SurviveRegroupingAndFiles) {
  const Model moved = regrouped(coupled);
  const Model read = build(parse_toml(to_toml(graph), "written.toml"));
  const auto n = static_cast<std::size_t>(coupled.nv());
  std::vector<double> x(n), y(n), z(n);
  newton_euler::Workspace<double> one(coupled), other(moved), third(read);
  for (int k = 0; k < 10; ++k) {
    next();
    newton_euler::inverse_dynamics(coupled, one, q, v, a, x);
    newton_euler::inverse_dynamics(moved, other, q, v, a, y);
    newton_euler::inverse_dynamics(read, third, q, v, a, z);
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_NEAR(x[i], y[i], 10.0 * tolerance);
      EXPECT_NEAR(x[i], z[i], tolerance);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Random, Followers, ::testing::Range<std::uint64_t>(1, 13));

Graph gripper() {
  return parse_toml(R"(
name = "gripper"
tip = "left"
[[body]]
name = "palm"
mass = 1.0
com = [0, 0, 0]
inertia = [1e-3, 1e-3, 1e-3, 0, 0, 0]
[[body]]
name = "left"
mass = 0.2
com = [0, 0, 0.03]
inertia = [1e-5, 1e-5, 1e-5, 0, 0, 0]
[[body]]
name = "right"
mass = 0.3
com = [0, 0, 0.03]
inertia = [1e-5, 1e-5, 1e-5, 0, 0, 0]
[[joint]]
name = "wrist"
kind = "revolute"
parent = "base"
child = "palm"
axis = [1, 0, 0]
[[joint]]
name = "finger"
kind = "prismatic"
parent = "palm"
child = "left"
axis = [0, 1, 0]
limits = { lower = 0.0, upper = 0.04 }
spring = { stiffness = 10.0, rest = 0.01 }
[[joint]]
name = "other"
kind = "prismatic"
parent = "palm"
child = "right"
axis = [0, -1, 0]
limits = { lower = 0.0, upper = 0.05 }
friction = { viscous = 0.5 }
armature = 0.1
mimic = { joint = "finger", multiplier = 2.0, offset = 0.01 }
)",
                    "gripper.toml");
}

TEST(Gripper, ByHand) {
  const Model model = build(gripper());
  ASSERT_EQ(model.nv(), 2);
  ASSERT_EQ(model.followers().size(), 1u);
  EXPECT_EQ(model.followers()[0].leader, "finger");
  EXPECT_DOUBLE_EQ(model.upper_limits()[1], 0.02);  // of the other: (0.05 − 0.01) / 2
  EXPECT_DOUBLE_EQ(model.viscous()[1], 4.0 * 0.5);
  EXPECT_DOUBLE_EQ(model.armature()[1], 4.0 * 0.1);
  Kinematics<double> kinematics(model);
  kinematics.update_positions(std::vector{0.0, 0.005});
  EXPECT_NEAR(kinematics.pose(*model.find_frame("right")).p.y, -0.02, 1e-17);
  composite_body::Workspace<double> ws(model);
  std::vector<double> M(4);
  composite_body::mass_matrix(model, ws, std::vector{0.0, 0.005}, {M.data(), 2, 2});
  EXPECT_NEAR(M[3], 0.2 + 4.0 * 0.3 + 4.0 * 0.1, 1e-15);
}

TEST(Gripper, RefusesWhatItCannotFollow) {
  const auto message = [](auto change) {
    Graph graph = gripper();
    change(*find_joint(graph, "other"));
    try {
      build(graph);
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string("nothing");
  };
  EXPECT_NE(message([](GraphJoint& j) { j.mimic->joint = "thumb"; }).find("'thumb', which does not exist"),
            std::string::npos);
  EXPECT_NE(message([](GraphJoint& j) { j.mimic->joint = "other"; }).find("follows a joint that follows it"),
            std::string::npos);
  EXPECT_NE(message([](GraphJoint& j) { j.mimic->multiplier = NAN; }).find("not finite"), std::string::npos);
  EXPECT_NE(message([](GraphJoint& j) { j.kind = JointKind::spherical; }).find("only joints of one degree"),
            std::string::npos);
  const Model model = build(gripper());
  EXPECT_THROW(articulated_body::Workspace<double>{model}, InputError);
  EXPECT_EQ(automatic_method(Quantity::forward_dynamics, model), "composite_body");
}

TEST(Gripper, KeepsItsEnergy) {
  Graph graph = gripper();
  for (GraphJoint& joint : graph.joints) joint.passive.viscous = 0.0;
  const Model model = build(graph);
  SimulationSetup setup;
  setup.q0 = {0.3, 0.004};
  setup.v0 = {2.0, 0.1};
  setup.duration = 2.0;
  setup.accuracy.relative = setup.accuracy.absolute = 1e-11;
  Trajectory trajectory;
  const RunResult result = simulate(model, setup, trajectory);
  ASSERT_EQ(result.status, RunStatus::completed) << result.reason;
  EXPECT_LE(result.largest_imbalance, 1e-8 * result.largest_energy);
}

/// A finger whose last link follows closes a loop by a ball: A's columns of leader and follower are summed.
TEST(Gripper, ClosesLoops) {
  Graph graph = test::random_robot({.bodies = 7, .only_one_degree = true}, 11);
  for (GraphJoint& joint : graph.joints) joint.kind = JointKind::revolute, joint.pitch = 0.0;
  graph.joints[5].mimic = {"joint2", -0.7, 0.2};
  const Model open = build(graph);
  std::mt19937_64 generator(3);
  const std::vector<double> q = random_position(open, generator);
  Kinematics<double> kinematics(open);
  kinematics.update_positions(q);
  const Pose<double> tip = kinematics.pose(*open.find_frame("body7"));
  graph.loops.push_back({"ball", JointKind::spherical, "root", "body7", tip, Pose<double>::identity(), 0.0, {}});
  const Model model = build(graph);
  LoopEquations equations(model);
  equations.update(q);
  EXPECT_LT(equations.largest_residual(), 1e-12);
  // A against differences of the residual
  const double h = 1e-6;
  for (int k = 0; k < model.nv(); ++k) {
    std::vector<double> there = q, here = q;
    there[static_cast<std::size_t>(k)] += h;
    here[static_cast<std::size_t>(k)] -= h;
    LoopEquations a(model), b(model);
    a.update(there);
    b.update(here);
    for (int i = 0; i < equations.rows(); ++i)
      EXPECT_NEAR(equations.matrix()(i, k),
                  (a.residual()[static_cast<std::size_t>(i)] - b.residual()[static_cast<std::size_t>(i)]) / (2.0 * h),
                  1e-8);
  }
  ConstrainedDynamics dynamics(model);
  std::vector<double> v = random_velocity(model, generator);
  dynamics.project_velocity(q, v);
  test::expect_other_ways_agree(model, q, v, random_velocity(model, generator, 5.0));
}

}  // namespace
}  // namespace ulna
