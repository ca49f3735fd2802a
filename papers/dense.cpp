#include "papers/dense.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>

namespace ulna::reproduction {

namespace {

Eigen::VectorXd eigenvalues(const Eigen::MatrixXd& M) {
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(M, Eigen::EigenvaluesOnly).eigenvalues();
}

}  // namespace

double smallest_eigenvalue(const Eigen::MatrixXd& M) { return eigenvalues(M).minCoeff(); }

double condition(const Eigen::MatrixXd& M) {
  const Eigen::VectorXd sizes = eigenvalues(M).cwiseAbs();
  return sizes.maxCoeff() / sizes.minCoeff();
}

int rank(const Eigen::MatrixXd& A) { return static_cast<int>(Eigen::ColPivHouseholderQR<Eigen::MatrixXd>(A).rank()); }

}  // namespace ulna::reproduction
