// The reference for mechanisms: M a = force + Jᵀλ, J a = right in one dense system, solved by singular values;
// and how far others may be from it.
//
// K x = r with K = [M s Jᵀ; s J 0], x = (a, −λ/s), r = (force, s right), s = ‖M‖/‖J‖. Where each entry is off by
// a part `rounding` of the largest of what is summed for it, and the right side by `right_error` in each component:
//   |δa| ≤ ‖K⁺‖ (rounding (2 ‖M‖ |a| + ‖J‖ |λ| + |force|) + s |δright|)
// A program that goes from body to body rounds 64 times per body: see oracle_test.cpp.
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <limits>

#include "ulna/model/model.hpp"

namespace ulna::test {

inline double rounding_of(const Model& tree) {
  return 64.0 * std::numeric_limits<double>::epsilon() * tree.body_count();
}

struct SaddlePoint {
  Eigen::VectorXd a, lambda;
  double inverse;  // ‖K⁺‖
  double summed;   // 2 ‖M‖ |a| + ‖J‖ |λ| + |force|
  double right;    // s √(number of equations): the size of s |δright| for an error of 1 in each component

  SaddlePoint(const Eigen::MatrixXd& M, const Eigen::MatrixXd& J, const Eigen::VectorXd& force,
              const Eigen::VectorXd& right_side) {
    const Eigen::Index n = M.rows(), m = J.rows();
    const double s = M.norm() / J.norm();
    Eigen::MatrixXd K(n + m, n + m);
    K << M, s * J.transpose(), s * J, Eigen::MatrixXd::Zero(m, m);
    Eigen::VectorXd r(n + m);
    r << force, s * right_side;
    Eigen::JacobiSVD<Eigen::MatrixXd> svd(K, Eigen::ComputeThinU | Eigen::ComputeThinV);
    svd.setThreshold(1e-12);  // redundant equations are so to rounding, others far above
    const Eigen::VectorXd x = svd.solve(r);
    a = x.head(n);
    lambda = -s * x.tail(m);
    inverse = 1.0 / svd.singularValues()[svd.rank() - 1];
    summed = 2.0 * M.norm() * a.norm() + J.norm() * lambda.norm() + force.norm();
    right = s * std::sqrt(static_cast<double>(m));
  }

  double allowed(double rounding, double right_error = 0.0) const {
    return inverse * (rounding * summed + right * right_error);
  }
};

}  // namespace ulna::test
