// Balances a double pendulum upright: the equations of motion linearised there, a linear-quadratic regulator by Eigen,
// and the nonlinear arm driven by it.
#include <Eigen/Dense>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "ulna/eigen.hpp"
#include "ulna/ulna.hpp"

namespace {

/// K of u = −K x that makes ∫ (xᵀ Q x + uᵀ R u) smallest, from the stable half of the Hamiltonian matrix.
Eigen::MatrixXd regulator(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B, const Eigen::MatrixXd& Q,
                          const Eigen::MatrixXd& R) {
  const Eigen::Index n = A.rows();
  Eigen::MatrixXd H(2 * n, 2 * n);
  H << A, -B * R.inverse() * B.transpose(), -Q, -A.transpose();
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(H);
  Eigen::MatrixXcd stable(2 * n, n);
  for (Eigen::Index k = 0, found = 0; k < 2 * n; ++k)
    if (solver.eigenvalues()[k].real() < 0.0) stable.col(found++) = solver.eigenvectors().col(k);
  const Eigen::MatrixXd P = (stable.bottomRows(n) * stable.topRows(n).inverse()).real();
  return R.inverse() * B.transpose() * P;
}

}  // namespace

int main() {
  const ulna::Model model = ulna::build(ulna::load_graph("planar2r"));
  const Eigen::Index n = model.nv();
  const Eigen::Vector2d upright(std::numbers::pi / 2, 0.0), rest = Eigen::Vector2d::Zero();

  ulna::newton_euler::Workspace<double> inverse(model);
  Eigen::VectorXd hold(n), a(n);
  ulna::newton_euler::inverse_dynamics(model, inverse, upright, rest, rest, hold);

  // d/dt (q, v) = A (q, v) + B τ: the derivatives land in blocks of A and B.
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(2 * n, 2 * n), B = Eigen::MatrixXd::Zero(2 * n, n);
  A.topRightCorner(n, n).setIdentity();
  ulna::articulated_body::DerivativeWorkspace<double> workspace(model);
  ulna::articulated_body::forward_derivatives(model, workspace, upright, rest, hold, a, A.bottomLeftCorner(n, n),
                                              A.bottomRightCorner(n, n), B.bottomRows(n));
  const Eigen::MatrixXd K = regulator(A, B, Eigen::MatrixXd::Identity(2 * n, 2 * n), Eigen::MatrixXd::Identity(n, n));

  ulna::Stepper robot(model, "rk4", 1e-3);
  robot.set_state(Eigen::Vector2d(upright + Eigen::Vector2d(0.2, -0.1)), rest);
  Eigen::VectorXd x(2 * n), tau(n);
  for (int cycle = 0; cycle < 8000; ++cycle) {
    x << Eigen::Map<const Eigen::VectorXd>(robot.q().data(), n) - upright,
        Eigen::Map<const Eigen::VectorXd>(robot.v().data(), n);
    tau = hold - K * x;
    robot.step(tau);
  }
  std::printf("after %.0f s the arm is %.1e rad and rad/s from upright\n", robot.time(), x.norm());
  return x.norm() < 1e-3 ? 0 : 1;
}
