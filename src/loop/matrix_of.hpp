// A of the loop equations for Eigen.
#pragma once

#include <Eigen/Dense>

#include "kinematics/decompositions.hpp"
#include "ulna/loop/loop_equations.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

inline Eigen::Map<const Matrix> matrix_of(const LoopEquations& equations) {
  return {equations.matrix().data, equations.matrix().rows, equations.matrix().cols};
}

}  // namespace ulna
#pragma GCC visibility pop
