#include "ulna/loop/rates.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "matrix_of.hpp"
#include "ulna/loop/mobility.hpp"

namespace ulna {

std::vector<double> dependent_rates(const LoopEquations& equations, std::span<const int> independent,
                                    VectorIn<double> values, VectorIn<double> right_side) {
  const auto A = matrix_of(equations);
  const Eigen::Index n = A.cols(), given = static_cast<Eigen::Index>(independent.size());
  // A v = right side and the given values, in one system: unique exactly when it has full column rank
  Matrix all = Matrix::Zero(A.rows() + given, n);
  Vector right(A.rows() + given);
  all.topRows(A.rows()) = A;
  right.head(A.rows()) = Eigen::Map<const Vector>(right_side.data(), A.rows());
  for (Eigen::Index k = 0; k < given; ++k) {
    all(A.rows() + k, independent[static_cast<std::size_t>(k)]) = 1.0;
    right[A.rows() + k] = values[static_cast<std::size_t>(k)];
  }
  Eigen::ColPivHouseholderQR<Matrix> qr(all);
  qr.setThreshold(rank_threshold);
  if (qr.rank() < n) {
    throw InputError(
        fmt::format("{} given rates do not determine the others: {} degrees of freedom remain; give more, "
                    "or this is a singular position",
                    given, n - qr.rank()));
  }
  const Vector v = qr.solve(right);
  if (!((all * v - right).norm() <= 1e-9 * std::max(1.0, right.norm()))) {
    throw InputError(
        "the given rates contradict the loops: more are given than the mechanism has freedoms, or this is a "
        "singular position");
  }
  return {v.data(), v.data() + n};
}

std::vector<double> nearest_rates(const LoopEquations& equations, VectorIn<double> values,
                                  VectorIn<double> right_side) {
  const auto A = matrix_of(equations);
  const Eigen::Map<const Vector> given(values.data(), A.cols());
  Eigen::CompleteOrthogonalDecomposition<Matrix> solver(A);
  solver.setThreshold(rank_threshold);
  const Vector nearest = given + solver.solve(Eigen::Map<const Vector>(right_side.data(), A.rows()) - A * given);
  return {nearest.data(), nearest.data() + nearest.size()};
}

std::vector<double> closed_rates(const LoopEquations& equations, VectorIn<double> rates, VectorIn<double> right_side,
                                 std::span<const int> independent) {
  if (independent.empty()) return nearest_rates(equations, rates, right_side);
  std::vector<double> values;
  values.reserve(independent.size());
  for (const int k : independent) values.push_back(rates[static_cast<std::size_t>(k)]);
  return dependent_rates(equations, independent, values, right_side);
}

}  // namespace ulna
