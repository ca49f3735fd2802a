// Chains so long that the tree is solved by articulated bodies instead of the sparse factor of M.
#include <gtest/gtest.h>

#include <random>

#include "ulna/io/robot/load.hpp"
#include "ulna/loop/constrained_dynamics.hpp"

namespace ulna {
namespace {

/// The tip of the chain is held by a ball where it stands at some position.
Model held_chain(int links, std::vector<double>& q) {
  Graph graph = load_graph("chain:" + std::to_string(links));
  const Model tree = build(graph);
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> angle(-0.4, 0.4);
  q.resize(static_cast<std::size_t>(tree.nq()));
  for (double& x : q) x = angle(random);
  Kinematics<double> kinematics(tree);
  kinematics.update_positions(q);
  GraphLoop ball;
  ball.name = "ball";
  ball.kind = JointKind::spherical;
  ball.parent = graph.bodies[0].name;
  ball.child = tree.tip().name;
  ball.in_parent.p = kinematics.pose(tree.tip()).p;
  graph.loops = {ball};
  return build(graph);
}

TEST(LongChain, SolvesTheEquationsOfMotion) {
  for (const int links : {17, 19, 60}) {
    std::vector<double> q;
    const Model model = held_chain(links, q);
    const auto n = static_cast<std::size_t>(model.nv());
    ConstrainedDynamics dynamics(model);
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> number(-1.0, 1.0);
    std::vector<double> v(n), tau(n), a(n), left(n);
    for (double& x : v) x = number(random);
    for (double& x : tau) x = number(random);
    ASSERT_TRUE(dynamics.project(q, v)) << links;
    dynamics.forward_dynamics(q, v, tau, a);
    const std::vector<double> lambda(dynamics.lambda().begin(), dynamics.lambda().end());
    const MatrixView<const double> A = dynamics.equations().matrix();
    // what M a + h − τ leaves is Aᵀλ, and A a = b; both as exact as the terms that cancel in them
    const Model tree = model.tree();
    make_method<double>("auto", Quantity::inverse_dynamics, tree)->inverse_dynamics(q, v, a, left);
    double scale = 0.0, fastest = 0.0;
    for (std::size_t k = 0; k < n; ++k) scale = std::max(scale, std::abs(left[k]) + std::abs(tau[k]));
    for (const double x : a) fastest = std::max(fastest, std::abs(x));
    const double rounding = 64.0 * 2.2e-16 * links * links;  // errors of accelerations add up along the chain
    for (std::size_t k = 0; k < n; ++k) {
      double reaction = 0.0;
      for (int i = 0; i < A.rows; ++i) reaction += A(i, static_cast<int>(k)) * lambda[static_cast<std::size_t>(i)];
      EXPECT_NEAR(left[k] - tau[k], reaction, rounding * std::max(scale, fastest)) << links << ' ' << k;
    }
    for (int i = 0; i < A.rows; ++i) {
      double sum = 0.0;
      for (std::size_t k = 0; k < n; ++k) sum += A(i, static_cast<int>(k)) * a[k];
      EXPECT_NEAR(sum, dynamics.equations().b()[static_cast<std::size_t>(i)], rounding * fastest) << links;
    }
  }
}

}  // namespace
}  // namespace ulna
