// Eigen's decompositions of a MatrixXd, compiled once: each takes seconds in every file that uses it.
#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>

#define ULNA_DECOMPOSITIONS(EXTERN)                                                                                  \
  EXTERN template class Eigen::JacobiSVD<Eigen::MatrixXd>;                                                           \
  EXTERN template class Eigen::ColPivHouseholderQR<Eigen::MatrixXd>;                                                 \
  EXTERN template class Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>;                                     \
  EXTERN template class Eigen::FullPivLU<Eigen::MatrixXd>;                                                           \
  EXTERN template class Eigen::LLT<Eigen::MatrixXd>;                                                                 \
  EXTERN template class Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>;                                              \
  EXTERN template Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>&                                                    \
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>::compute<Eigen::MatrixXd>(const Eigen::EigenBase<Eigen::MatrixXd>&, \
                                                                           int);
ULNA_DECOMPOSITIONS(extern)
