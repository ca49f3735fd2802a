// Dense algebra for looking at the papers' matrices: a formulation's as Eigen's, and what is asked of them.
#pragma once

#include <Eigen/Core>
#include <string_view>

#include "ulna/dynamics/method.hpp"

namespace ulna::reproduction {

inline Eigen::MatrixXd mass_matrix(const Model& model, std::span<const double> q,
                                   std::string_view method = "composite_body") {
  Eigen::MatrixXd M(model.nv(), model.nv());
  make_method<double>(method, Quantity::mass_matrix, model)->mass_matrix(q, {M.data(), model.nv(), model.nv()});
  return M;
}

/// a ×.
inline Eigen::Matrix3d cross_matrix(const Eigen::Vector3d& a) {
  Eigen::Matrix3d matrix;
  matrix << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return matrix;
}

// Of symmetric matrices; the condition is by the eigenvalues.
double smallest_eigenvalue(const Eigen::MatrixXd& M);
double condition(const Eigen::MatrixXd& M);

int rank(const Eigen::MatrixXd& A);

}  // namespace ulna::reproduction
