// The last question of `check`: is the inertia matrix positive definite wherever the arm can go?
#pragma once

#include "ulna/model/build.hpp"

namespace ulna {

/// Everything of check(), and M's eigenvalues over sampled poses (fixed seed).
std::vector<Finding> check_with_dynamics(const Graph& graph);

/// Condition number of a symmetric matrix (largest over smallest eigenvalue); infinite if it is
/// not positive definite.
double symmetric_condition(std::span<const double> column_major, int n);

}  // namespace ulna
