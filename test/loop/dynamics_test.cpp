// Dynamics of all bundled mechanisms, and of loops of every kind, in random states with closed loops: the two
// formulations against a dense reference, inverse against forward dynamics, and power.
#include <gtest/gtest.h>

#include "loop/held_arm.hpp"
#include "loop/mechanism.hpp"
#include "support/bundled.hpp"
#include "support/closed_state.hpp"
#include "support/own_cache.hpp"
#include "support/random_robot.hpp"
#include "support/saddle_point.hpp"
#include "ulna/loop/compiled_loops.hpp"
#include "ulna/loop/mobility.hpp"

namespace ulna {

namespace {

using test::SaddlePoint;
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

constexpr std::uint64_t seed = 20260006;
constexpr int states = 20;

Eigen::Map<const Vector> vector_of(const std::vector<double>& x) { return {x.data(), std::ssize(x)}; }

std::vector<Graph> graphs() {
  std::vector<Graph> all;
  for (const std::string& robot : test::bundled_mechanisms()) all.push_back(load_graph(robot));
  for (const JointKind kind : test::loop_kinds()) all.push_back(test::held_arm(kind));
  all.push_back(test::crossed_crank());
  return all;
}

class Mechanisms : public testing::TestWithParam<Graph> {
 protected:
  std::vector<double> zeros() const { return std::vector<double>(static_cast<std::size_t>(tree_.nv()), 0.0); }

  void next_state() {
    state_ = test::random_closed_state(model_, generator_);
    equations_.update(state_.q);
    equations_.update_bias(state_.v);
  }

  Matrix loop_matrix() const {
    return Eigen::Map<const Matrix>(equations_.matrix().data, equations_.rows(), tree_.nv());
  }
  Vector loop_right() const { return Eigen::Map<const Vector>(equations_.b().data(), equations_.rows()); }

  std::vector<double> tree_torques(const std::vector<double>& a, Wrenches<double> external = {}) {
    std::vector<double> tau = zeros();
    make_method<double>("newton_euler", Quantity::inverse_dynamics, tree_)
        ->inverse_dynamics(state_.q, state_.v, a, tau, external);
    return tau;
  }

  SaddlePoint reference(const std::vector<double>& tau, Wrenches<double> external = {}) {
    Matrix M(tree_.nv(), tree_.nv());
    make_method<double>("composite_body", Quantity::mass_matrix, tree_)
        ->mass_matrix(state_.q, {M.data(), tree_.nv(), tree_.nv()});
    return {M, loop_matrix(), vector_of(tau) - vector_of(tree_torques(zeros(), external)), loop_right()};
  }

  /// A random acceleration that keeps the loops closed.
  std::vector<double> possible_acceleration() {
    const Vector w = vector_of(random_velocity(tree_, generator_));
    Eigen::CompleteOrthogonalDecomposition<Matrix> solver(loop_matrix());
    solver.setThreshold(1e-8);  // as in loop/mobility.cpp
    const Vector a = w - solver.solve(loop_matrix() * w - loop_right());
    return {a.data(), a.data() + a.size()};
  }

  test::Mechanism mechanism_{GetParam()};
  const Model& model_ = mechanism_.model;
  Model tree_ = model_.tree();
  LoopEquations equations_{model_};
  ConstrainedDynamics dynamics_{model_};
  std::mt19937_64 generator_{seed};
  test::ClosedState state_;
};

TEST_P(Mechanisms, BothFormulationsSolveTheEquationsOfMotion) {
  std::vector<double> a = zeros();
  std::vector<Force<double>> loads(static_cast<std::size_t>(tree_.body_count()));
  for (int k = 0; k < states; ++k) {
    next_state();
    for (Force<double>& load : loads)
      load = {test::random_vector(generator_, 2.0), test::random_vector(generator_, 5.0)};
    const std::vector<double> tau = random_velocity(tree_, generator_, 5.0);
    const SaddlePoint wanted = reference(tau, loads);
    const double allowed = wanted.allowed(test::rounding_of(tree_));
    dynamics_.forward_dynamics(state_.q, state_.v, tau, a, loads);
    EXPECT_LE((vector_of(a) - wanted.a).norm(), allowed) << "Schur complement, state " << k;
    EXPECT_LE((loop_matrix() * vector_of(a) - loop_right()).norm(), loop_matrix().norm() * allowed)
        << "loops, state " << k;
    dynamics_.forward_dynamics_independent(state_.q, state_.v, tau, a, loads);
    EXPECT_LE((vector_of(a) - wanted.a).norm(), allowed) << "independent coordinates, state " << k;
  }
}

TEST_P(Mechanisms, OwnCodeSolvesTheEquationsOfMotion) {
  const CompiledLoops compiled = compile_loops(model_);
  ASSERT_TRUE(compiled.own) << compiled.note;
  const std::unique_ptr<Method<double>> own = compiled.make();
  std::vector<double> a = zeros();
  std::vector<Force<double>> loads(static_cast<std::size_t>(tree_.body_count()));
  for (int k = 0; k < states; ++k) {
    next_state();
    const std::vector<double> tau = random_velocity(tree_, generator_, 5.0);
    const SaddlePoint wanted = reference(tau);
    own->forward_dynamics(state_.q, state_.v, tau, a);
    EXPECT_LE((vector_of(a) - wanted.a).norm(), wanted.allowed(test::rounding_of(tree_))) << "state " << k;
    for (Force<double>& load : loads)
      load = {test::random_vector(generator_, 2.0), test::random_vector(generator_, 5.0)};
    const SaddlePoint loaded = reference(tau, loads);
    own->forward_dynamics(state_.q, state_.v, tau, a, loads);
    EXPECT_LE((vector_of(a) - loaded.a).norm(), loaded.allowed(test::rounding_of(tree_))) << "loaded, state " << k;
  }
}

TEST_P(Mechanisms, ForwardDynamicsGivesBackTheMotionOfTheDrives) {
  std::vector<double> tau = zeros(), back = zeros();
  for (int k = 0; k < states; ++k) {
    next_state();
    const std::vector<double> a = possible_acceleration();
    dynamics_.inverse_dynamics(state_.q, state_.v, a, mechanism_.drives, tau);
    for (int i = 0; i < tree_.nv(); ++i) {
      if (std::find(mechanism_.drives.begin(), mechanism_.drives.end(), i) != mechanism_.drives.end()) continue;
      EXPECT_EQ(tau[static_cast<std::size_t>(i)], 0.0);
    }
    const double allowed = reference(tau).allowed(test::rounding_of(tree_));
    dynamics_.forward_dynamics(state_.q, state_.v, tau, back);
    EXPECT_LE((vector_of(back) - vector_of(a)).norm(), allowed) << k;
    dynamics_.forward_dynamics_independent(state_.q, state_.v, tau, back);
    EXPECT_LE((vector_of(back) - vector_of(a)).norm(), allowed) << k;
  }
}

/// d'Alembert: reactions of the loops do no work, so the drives' power is that of M a + h along the motion.
TEST_P(Mechanisms, DrivesDoTheWork) {
  std::vector<double> tau = zeros();
  for (int k = 0; k < states; ++k) {
    next_state();
    const std::vector<double> a = possible_acceleration();
    dynamics_.inverse_dynamics(state_.q, state_.v, a, mechanism_.drives, tau);
    const std::vector<double> of_tree = tree_torques(a);
    const double power = vector_of(tau).dot(vector_of(state_.v));
    const double summed = (vector_of(tau).norm() + vector_of(of_tree).norm()) * vector_of(state_.v).norm();
    // A v is zero to rounding; torques are what they are to rounding times the condition of the drives
    const double reactions = reference(tau).lambda.norm() * (loop_matrix() * vector_of(state_.v)).norm();
    EXPECT_NEAR(power, vector_of(of_tree).dot(vector_of(state_.v)), test::rounding_of(tree_) * summed + reactions) << k;
  }
}

TEST_P(Mechanisms, TooFewDrivesAreRefused) {
  next_state();
  const std::vector<double> a = possible_acceleration();
  std::vector<double> tau = zeros();
  const int freedoms = loop_mobility(equations_, tree_.nv()).mobility();
  const std::span<const int> few = std::span(mechanism_.drives).first(static_cast<std::size_t>(freedoms - 1));
  EXPECT_THROW(dynamics_.inverse_dynamics(state_.q, state_.v, a, few, tau), InputError);
}

INSTANTIATE_TEST_SUITE_P(All, Mechanisms, testing::ValuesIn(graphs()), [](const auto& one) { return one.param.name; });

/// Of all torques that make the motion the shortest: none of it presses the box for nothing.
TEST(DualArmTorques, AreTheShortest) {
  const test::Mechanism dual_arm("dual_arm");
  const Model& tree = dual_arm.model;
  const std::vector<double> q = tree.neutral(), rest(static_cast<std::size_t>(tree.nv()), 0.0);
  std::vector<double> tau = rest;
  ConstrainedDynamics dynamics(dual_arm.model);
  dynamics.inverse_dynamics(q, rest, rest, dual_arm.drives, tau);
  const Eigen::Map<const Matrix> A(dynamics.equations().matrix().data, 6, tree.nv());
  // every joint is driven: torques Aᵀμ only press, the shortest are orthogonal to all of them
  EXPECT_LE((A * vector_of(tau)).norm(), test::rounding_of(tree) * A.norm() * vector_of(tau).norm());
  EXPECT_GT(vector_of(tau).norm(), 1.0);
}

}  // namespace
}  // namespace ulna
