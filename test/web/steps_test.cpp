// The steps of the papers, as the studio walks through them: what they end in is what the other formulations compute.
#include "studio/steps.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "ulna/dynamics/method.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/model/random_state.hpp"

namespace ulna::studio {
namespace {

using Matrix = Eigen::MatrixXd;
using Numbers = std::vector<double>;

/// A robot at one state, with what other formulations say of it.
struct Case {
  Case(const std::string& name, unsigned seed) : model(load(name)) {
    std::mt19937 generator(seed);
    q = random_position(model, generator);
    v = random_velocity(model, generator);
    a = random_velocity(model, generator);
    tau = random_velocity(model, generator);
    const int n = model.nv();
    M.resize(n, n);
    id.resize(n);
    fd.resize(n);
    g.resize(n);
    const auto out = [](Eigen::VectorXd& x) { return std::span<double>(x.data(), static_cast<std::size_t>(x.size())); };
    make_method<double>("composite_body", Quantity::mass_matrix, model)->mass_matrix(q, {M.data(), n, n});
    make_method<double>("newton_euler", Quantity::inverse_dynamics, model)->inverse_dynamics(q, v, a, out(id));
    make_method<double>("newton_euler", Quantity::gravity, model)->gravity(q, out(g));
    make_method<double>("articulated_body", Quantity::forward_dynamics, model)->forward_dynamics(q, v, tau, out(fd));
    const Eigen::VectorXd values = M.selfadjointView<Eigen::Lower>().eigenvalues();
    condition = values.maxCoeff() / values.minCoeff();
    rounding = 64.0 * n * std::numeric_limits<double>::epsilon();  // some roundings per joint in each sum
  }
  StepInput input() const { return {model, q, v, a, tau}; }

  Model model;
  Numbers q, v, a, tau;
  Matrix M;
  Eigen::VectorXd id, fd, g;
  double condition, rounding;
};

/// The matrix of that name in the step of that title.
Matrix matrix(const Walk& walk, const std::string& title, const std::string& name, int link = 0) {
  for (const Step& step : walk.steps)
    for (const StepMatrix& m : step.matrices)
      if (step.title == title && m.name == name && m.link == link)
        return Eigen::Map<const Matrix>(m.columns.data(), m.rows, std::ssize(m.columns) / m.rows);
  ADD_FAILURE() << "no " << name << " in " << title;
  return {};
}

void expect_near(const Matrix& found, const Matrix& wanted, double bound, const std::string& what) {
  ASSERT_EQ(found.size(), wanted.size()) << what;
  const double scale = std::max(wanted.cwiseAbs().maxCoeff(), 1.0);
  EXPECT_LE((found - wanted.reshaped(found.rows(), found.cols())).cwiseAbs().maxCoeff(), bound * scale) << what;
}

class StepsTest : public testing::TestWithParam<const char*> {};

TEST_P(StepsTest, DenocEndsInTheSameEquations) {
  const Case at(GetParam(), 1);
  const Walk walked = walk("denoc", at.input());
  const Matrix I = matrix(walked, "The generalised inertia matrix", "I"), U = matrix(walked, "I = U D Uᵀ", "U"),
               D = matrix(walked, "I = U D Uᵀ", "D");
  expect_near(I, at.M, at.rounding, "I");
  expect_near(U * D.row(0).asDiagonal() * U.transpose(), at.M, at.rounding, "U D Uᵀ");
  expect_near(D, matrix(walked, "Step B", "m̂"), at.rounding, "D by elimination and by the recursion");
  expect_near(matrix(walked, "Torques", "τ"), at.id, at.rounding, "τ");
  expect_near(matrix(walked, "Step C", "θ̈"), at.fd, at.rounding * at.condition, "θ̈");
  const Matrix tau_hat = U.inverse() * matrix(walked, "Step A", "φ").transpose();
  expect_near(matrix(walked, "Step A", "τ̂"), tau_hat, at.rounding * at.condition, "τ̂ = U⁻¹ φ");
  // The last twist from the one before, by the matrices that are shown.
  const int n = at.model.nv();
  if (n < 2) return;
  const Matrix t = matrix(walked, "Twists", "t"), p = matrix(walked, "Twists", "p");
  expect_near(matrix(walked, "Twists", "B_{i,i−1}", n) * t.col(n - 2) + p.col(n - 1) * at.v.back(), t.col(n - 1),
              at.rounding, "t");
}

TEST_P(StepsTest, HomogeneousMatricesEndInTheSameEquations) {
  const Case at(GetParam(), 2);
  const Walk walked = walk("homogeneous", at.input());
  expect_near(matrix(walked, "Lagrange, by traces", "M"), at.M, at.rounding, "M");
  expect_near(matrix(walked, "Actions and torques", "τ"), at.id, at.rounding, "τ");
  // W_{0,n} is the sum of the joints' L q̇
  Matrix W = Matrix::Zero(4, 4);
  for (int i = 1; i <= at.model.nv(); ++i)
    W += matrix(walked, "Joints", "L_{i(0)}", i) * at.v[static_cast<std::size_t>(i) - 1];
  expect_near(matrix(walked, "Velocities", "W_{0,i}", at.model.nv()), W, at.rounding, "W");
}

TEST_P(StepsTest, SpatialOperatorsEndInTheSameEquations) {
  const Case at(GetParam(), 3);
  const Walk walked = walk("spatial_operator", at.input());
  const Matrix H = matrix(walked, "Joints", "H"), Phi = matrix(walked, "Shifts", "Φ"),
               B = matrix(walked, "Shifts", "B"), M = matrix(walked, "Masses", "M"),
               D = matrix(walked, "In joint space", "D");
  const Matrix one = Matrix::Identity(B.rows(), B.cols());
  expect_near(Phi * (one - B), one, at.rounding, "Φ = (1 − B)⁻¹");
  const Matrix product = H.transpose() * Phi.transpose() * M * Phi * H;
  expect_near(D, product, at.rounding, "D");
  Matrix with_armature = D;
  for (int k = 0; k < at.model.nv(); ++k) with_armature(k, k) += at.model.armature()[static_cast<std::size_t>(k)];
  expect_near(with_armature, at.M, at.rounding, "M");
  expect_near(matrix(walked, "In joint space", "G"), at.g, at.rounding, "G");
  expect_near(matrix(walked, "Forces", "T"), at.id, at.rounding, "T");
}

TEST_P(StepsTest, ConstraintForcesEndInTheSameEquations) {
  const Case at(GetParam(), 4);
  if (at.model.name() == "planar2r") {  // whose links have no inertia in some directions
    EXPECT_THROW(walk("constraint_force", at.input()), InputError);
    return;
  }
  const Walk walked = walk("constraint_force", at.input());
  const Matrix A = matrix(walked, "The blocks of A", "A"), B = matrix(walked, "The blocks of B and C", "B");
  const Matrix F_S = matrix(walked, "Constraint forces", "F_S"), F_T = matrix(walked, "Applied forces", "F_T");
  const Eigen::VectorXd values = A.selfadjointView<Eigen::Lower>().eigenvalues();
  const double condition = values.maxCoeff() / values.minCoeff();
  expect_near(matrix(walked, "Joint accelerations", "Q̈"), at.fd, at.rounding * condition, "Q̈");
  if (at.model.has_armature()) return;  // whose torques are among the unknowns
  expect_near(A * F_S.transpose(), -B * F_T.transpose(), at.rounding * condition, "A F_S = −B F_T");
  const Matrix inverse = matrix(walked, "Joint accelerations", "M⁻¹");
  expect_near(inverse * at.M, Matrix::Identity(at.M.rows(), at.M.cols()), at.rounding * condition * at.condition,
              "M⁻¹");
}

/// The note of the step of that title.
std::string note(const Walk& walk, const std::string& title) {
  for (const Step& step : walk.steps)
    if (step.title == title) return step.note;
  ADD_FAILURE() << "no " << title;
  return {};
}

TEST(StepsTest, ArmatureInAMatrixIsSaid) {
  const std::string words = "Armature is added to the diagonal";
  for (const auto& [robot, has] : {std::pair{"scara", true}, std::pair{"stanford", false}}) {
    const Case at(robot, 1);
    ASSERT_EQ(at.model.has_armature(), has) << robot;
    const Walk denoc = walk("denoc", at.input());
    for (const char* title : {"The generalised inertia matrix", "I = U D Uᵀ"})
      EXPECT_EQ(note(denoc, title).find(words) != std::string::npos, has) << robot << ' ' << title;
    EXPECT_EQ(note(walk("homogeneous", at.input()), "Lagrange, by traces").find(words) != std::string::npos, has)
        << robot;
  }
}

INSTANTIATE_TEST_SUITE_P(Arms, StepsTest, testing::Values("planar2r", "stanford", "puma560", "ur5_like", "panda_like"),
                         [](const auto& about) { return std::string(about.param); });

TEST(StepsTest, WhatHasNoStepsIsRefusedWithAWord) {
  const Case at("planar2r", 1);
  EXPECT_THROW(walk("articulated_body", at.input()), InputError);
  const Case tree("satellite_arm", 1);
  EXPECT_THROW(walk("denoc", tree.input()), InputError);
  EXPECT_EQ(walk("constraint_force", tree.input()).steps.back().matrices.size(), 1U);  // M⁻¹ is of a fixed base
}

}  // namespace
}  // namespace ulna::studio
