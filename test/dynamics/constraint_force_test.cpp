// What is special to the constraint-force formulation: the factorisation itself, slender links, the
// parallel path. Agreement with the other formulations is in agreement_test.
#include <gtest/gtest.h>
#include <tbb/task_arena.h>

#include <Eigen/Dense>

#include "support/golden.hpp"
#include "support/test_robots.hpp"
#include "support/tolerance.hpp"
#include "ulna/base/error.hpp"
#include "ulna/dynamics/constraint_force/cyclic_reduction.hpp"
#include "ulna/dynamics/constraint_force/explicit_matrices.hpp"
#include "ulna/model/random_state.hpp"

namespace ulna {
namespace {

using Matrix = Eigen::MatrixXd;

std::vector<Graph> suitable_robots() {
  std::vector<Graph> robots;
  for (Graph& graph : test::test_robots())
    if (method_info("constraint_force").refusal(build(graph)).empty()) robots.push_back(std::move(graph));
  Graph ball = load_graph("panda_like");
  ball.name = "panda_with_a_ball";
  ball.joints[2].kind = JointKind::spherical;
  ball.joints[2].limits = {};
  robots.push_back(ball);
  return robots;
}

TEST(ConstraintForce, InverseInertiaIsTheSchurComplement) {  // (3.20)
  int compared = 0;
  for (const Graph& graph : suitable_robots()) {
    const Model model = build(graph);
    if (model.has_free_base() || model.has_armature() || !test::is_positive_definite(graph)) continue;
    std::mt19937_64 generator(20);
    const auto q = random_position(model, generator);
    const auto m = constraint_force::explicit_matrices(model, q);
    const Eigen::Map<const Matrix> A(m.A.data(), m.constraints, m.constraints),
        B(m.B.data(), m.constraints, m.freedoms), C(m.C.data(), m.freedoms, m.freedoms);
    composite_body::Workspace<double> ws(model);
    Matrix M(model.nv(), model.nv());
    composite_body::mass_matrix(model, ws, q, {M.data(), model.nv(), model.nv()});
    // For a screw H is not the joint's motion but dual to it: (3.20) holds all the same.
    const Matrix product = M * (C - B.transpose() * A.ldlt().solve(B));
    const double rounding = 1e-15 * m.condition_of_A * static_cast<double>(model.nv());
    EXPECT_LT((product - Matrix::Identity(model.nv(), model.nv())).cwiseAbs().maxCoeff(), std::max(rounding, 1e-12))
        << graph.name;
    ++compared;
  }
  EXPECT_GT(compared, 5);
}

TEST(ConstraintForce, AIsBlockTridiagonalAndPositive) {
  const Model model = load("kuka_lwr4");
  const auto m = constraint_force::explicit_matrices(model, std::vector<double>(7, 0.4));
  EXPECT_EQ(m.constraints, 35);
  EXPECT_EQ(m.freedoms, 7);
  const Eigen::Map<const Matrix> A(m.A.data(), 35, 35);
  for (int i = 0; i < 7; ++i)
    for (int j = 0; j < 7; ++j) {
      const double size = A.block(5 * i, 5 * j, 5, 5).cwiseAbs().maxCoeff();
      if (std::abs(i - j) > 1) {
        EXPECT_EQ(size, 0.0);
      }
      if (std::abs(i - j) == 1) {
        EXPECT_GT(size, 0.0);  // erratum 1.2: not block diagonal
      }
    }
  EXPECT_GT(m.condition_of_A, 0.0);
}

/// Cylinders of 1 m and 1 kg along x, joint axes alternately turned by ±90°: golden/001_conditioning.
Model slender_chain(int n, double radius) {
  Graph graph;
  graph.name = "slender";
  graph.gravity = {0, 0, 0};
  graph.bodies.push_back({"base", {}, {}, {}});
  for (int i = 1; i <= n; ++i) {
    const double along = radius * radius / 2.0, across = (3.0 * radius * radius + 1.0) / 12.0;
    GraphJoint joint;
    joint.name = "joint" + std::to_string(i);
    joint.parent = graph.bodies.back().name;
    joint.child = "link" + std::to_string(i);
    if (i > 1) joint.in_parent = {rotation_x(Turn<double>{0.0, i % 2 == 0 ? -1.0 : 1.0}), {1, 0, 0}};
    graph.bodies.push_back({joint.child, {1.0, {0.5, 0, 0}, {along, across, across, 0, 0, 0}}, {}, {}});
    graph.joints.push_back(joint);
  }
  return build(graph);
}

double relative_error(const std::vector<double>& got, const std::vector<double>& want) {
  double off = 0.0, size = 0.0;
  for (std::size_t k = 0; k < want.size(); ++k) {
    off += (got[k] - want[k]) * (got[k] - want[k]);
    size += want[k] * want[k];
  }
  return std::sqrt(off / size);
}

/// The plain algorithm loses digits with slenderness; the file says how many. Ours must beat it by
/// a hundred where it is worst. articulated_body, good to 1e-15 there, is the reference.
TEST(ConstraintForce, SlenderLinksKeepTheirDigits) {
  const auto rows = test::golden("001_conditioning")["slenderness"];
  for (const auto& row : rows) {
    const double radius = row["radius"], plain = row["relerr_CF"];
    const Model model = slender_chain(30, radius);
    constraint_force::Workspace<double> ws(model);
    constraint_force::ParallelSolver parallel(model);
    articulated_body::Workspace<double> ab(model);
    std::mt19937_64 generator(30);
    double worst = 0.0;
    for (int k = 0; k < 20; ++k) {
      const auto q = random_position(model, generator), tau = random_velocity(model, generator);
      std::vector<double> v(30, 0.0), want(30), got(30);
      articulated_body::forward_dynamics(model, ab, q, v, tau, want);
      constraint_force::forward_dynamics(model, ws, q, v, tau, got);
      worst = std::max(worst, relative_error(got, want));
      parallel.forward_dynamics(q, v, tau, got);
      worst = std::max(worst, relative_error(got, want));
    }
    std::printf("radius %g: plain %.1e, ours %.1e\n", radius, plain, worst);
    EXPECT_LT(worst, radius == 1e-4 ? plain / 100.0 : std::max(plain, 1e-13));
  }
}

TEST(ParallelConstraintForce, AgreesWithTheSerialPathAndDoesNotDependOnThreads) {
  std::vector<Graph> robots = suitable_robots();
  for (const int n : {1, 2, 3, 4, 5, 16, 17, 129, 300, 1025})
    robots.push_back(load_graph("chain:" + std::to_string(n)));
  for (const Graph& graph : robots) {
    if (!test::is_positive_definite(graph)) continue;
    const Model model = build(graph);
    std::mt19937_64 generator(11);
    auto q = random_position(model, generator);
    const auto v = random_velocity(model, generator, 0.1), tau = random_velocity(model, generator);
    std::vector<Force<double>> external(model.bodies().size(), Force<double>{{0.1, -0.2, 0.3}, {0.5, 0.1, -0.4}});
    const auto n = static_cast<std::size_t>(model.nv());
    std::vector<double> serial(n), first(n), again(n);
    constraint_force::Workspace<double> ws(model);
    constraint_force::ParallelSolver solver(model);
    constraint_force::forward_dynamics(model, ws, q, v, tau, serial, external);
    solver.forward_dynamics(q, v, tau, first, external);
    // Both solve the same well-refined system; what differs is the order of sums over the chain,
    // and a long chain's condition grows with the cube of its length.
    const double growth = 1e-15 * std::pow(static_cast<double>(n), 3.0);
    EXPECT_LT(relative_error(first, serial), std::max(growth, 1e-12)) << graph.name;
    for (const int threads : {1, 2, 3, 7}) {
      tbb::task_arena arena(threads);
      arena.execute([&] { solver.forward_dynamics(q, v, tau, again, external); });
      EXPECT_EQ(again, first) << graph.name << " on " << threads << " threads";
    }
  }
}

/// No joint, no constraint: F = I V̇ + bias, on threads as well.
TEST(ConstraintForce, TakesAFloatingBodyAlone) {
  Graph graph;
  graph.name = "hull";
  graph.free_base = true;
  graph.bodies.push_back({"hull", {2.0, {0.1, 0.0, 0.0}, {0.3, 0.4, 0.5, 0.0, 0.0, 0.0}}, {}, {}});
  const Model model = build(graph);
  EXPECT_EQ(constraint_force::explicit_matrices(model, model.neutral()).constraints, 0);
  const std::vector<double> q = model.neutral(), v{0.1, 0.2, 0.3, 0.4, 0.5, 0.6}, tau{1, 2, 3, 4, 5, 6};
  std::vector<double> serial(6), parallel(6), articulated(6);
  constraint_force::Workspace<double> ws(model);
  constraint_force::forward_dynamics(model, ws, q, v, tau, serial);
  constraint_force::ParallelSolver(model).forward_dynamics(q, v, tau, parallel);
  articulated_body::Workspace<double> reference(model);
  articulated_body::forward_dynamics(model, reference, q, v, tau, articulated);
  EXPECT_LT(relative_error(serial, articulated), 1e-14);
  EXPECT_LT(relative_error(parallel, articulated), 1e-14);
}

TEST(ParallelConstraintForce, MemoryPerLinkIsConstant) {
  const auto per_link = [](int n) {
    const Model model = load("chain:" + std::to_string(n));
    return static_cast<double>(constraint_force::ParallelSolver(model).bytes()) / n;
  };
  const double at_1000 = per_link(1000), at_10000 = per_link(10000);
  std::printf("%.0f and %.0f bytes per link\n", at_1000, at_10000);
  EXPECT_LT(std::fabs(at_10000 / at_1000 - 1.0), 0.2);
}

TEST(CyclicReduction, TakesLogarithmicallyManyLevels) {  // the table of doc/long_chains.md
  for (int k = 0; k <= 14; ++k)
    EXPECT_EQ(constraint_force::CyclicReduction<5>(std::size_t{1} << k).level_count(), static_cast<std::size_t>(k + 1));
}

TEST(CyclicReduction, SolvesBlockTridiagonalSystems) {
  const auto at_once = [](std::ptrdiff_t count, const auto& f) {
    for (std::ptrdiff_t k = count; k-- > 0;) f(k);  // any order
  };
  for (const int N : {1, 2, 3, 7, 8, 33}) {
    constraint_force::CyclicReduction<5> system(static_cast<std::size_t>(N));
    std::mt19937_64 generator(static_cast<std::uint64_t>(N));
    std::uniform_real_distribution<double> u(-1.0, 1.0);
    Matrix A = Matrix::Zero(5 * N, 5 * N);
    Eigen::VectorXd x = Eigen::VectorXd::NullaryExpr(5 * N, [&] { return u(generator); });
    for (int i = 0; i < N; ++i) {
      auto& diagonal = system.diagonal()[static_cast<std::size_t>(i)];
      auto& coupling = system.coupling()[static_cast<std::size_t>(i)];
      for (int r = 0; r < 5; ++r)
        for (int c = 0; c <= r; ++c) diagonal(r, c) = diagonal(c, r) = (r == c ? 12.0 : 0.0) + u(generator);
      for (double& e : coupling.m) e = i > 0 ? u(generator) : 0.0;
      for (int r = 0; r < 5; ++r)
        for (int c = 0; c < 5; ++c) {
          A(5 * i + r, 5 * i + c) = diagonal(r, c);
          if (i > 0) A(5 * (i - 1) + r, 5 * i + c) = A(5 * i + c, 5 * (i - 1) + r) = coupling(r, c);
        }
    }
    const Eigen::VectorXd b = A * x;
    for (int i = 0; i < N; ++i)
      for (int r = 0; r < 5; ++r)
        system.right()[static_cast<std::size_t>(i)][static_cast<std::size_t>(r)] = b[5 * i + r];
    system.factor(at_once);
    system.solve(at_once);
    for (int i = 0; i < N; ++i)
      for (int r = 0; r < 5; ++r)
        EXPECT_NEAR(system.right()[static_cast<std::size_t>(i)][static_cast<std::size_t>(r)], x[5 * i + r], 1e-13);
  }
}

TEST(ConstraintForce, RefusesWhatItCannotInvert) {
  const Model rods = load("planar3r");
  EXPECT_NE(method_info("constraint_force").refusal(rods).find("link 'link1'"), std::string::npos);
  EXPECT_THROW(constraint_force::ParallelSolver{rods}, InputError);
}

}  // namespace
}  // namespace ulna
