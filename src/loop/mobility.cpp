#include "ulna/loop/mobility.hpp"

#include <algorithm>

#include "matrix_of.hpp"
#include "ulna/loop/assembly.hpp"

namespace ulna {

LoopMobility loop_mobility(const LoopEquations& equations, int degrees) {
  if (equations.rows() == 0) return {degrees, 0, 0};
  Eigen::ColPivHouseholderQR<Matrix> qr(matrix_of(equations));
  qr.setThreshold(rank_threshold);
  return {degrees, equations.rows(), static_cast<int>(qr.rank())};
}

std::optional<LoopMobility> mobility_near(const Model& model, VectorIn<double> q) {
  const Assembly closed = assemble(model, q);
  if (!closed.closed) return std::nullopt;
  LoopEquations equations(model);
  equations.update(closed.q);
  return loop_mobility(equations, model.nv());
}

double loop_condition(const LoopEquations& equations, int rank) {
  const Vector values = Eigen::JacobiSVD<Matrix>(matrix_of(equations)).singularValues();
  return rank == 0 ? 1.0 : values[0] / values[rank - 1];
}

std::vector<double> free_directions(const LoopEquations& equations) {
  const auto A = matrix_of(equations);
  Eigen::ColPivHouseholderQR<Matrix> qr(Matrix(A.transpose()));
  qr.setThreshold(rank_threshold);
  const Matrix Q = qr.householderQ();
  const Matrix free = Q.rightCols(A.cols() - qr.rank());
  return {free.data(), free.data() + free.size()};
}

Determination determination(const LoopEquations& equations, std::span<const int> driven) {
  const auto A = matrix_of(equations);
  std::vector<int> others;
  for (int k = 0; k < static_cast<int>(A.cols()); ++k)
    if (std::find(driven.begin(), driven.end(), k) == driven.end()) others.push_back(k);
  if (others.empty()) return {1.0, -1};
  const Matrix columns = A(Eigen::all, others);
  const Eigen::JacobiSVD<Matrix> svd(columns, Eigen::ComputeFullV);
  Eigen::Index strongest = 0;
  svd.matrixV().col(columns.cols() - 1).cwiseAbs().maxCoeff(&strongest);
  const int weakest = others[static_cast<std::size_t>(strongest)];
  const Vector& values = svd.singularValues();
  if (values.size() < columns.cols() || values[0] == 0.0) return {0.0, weakest};
  return {values[columns.cols() - 1] / values[0], weakest};
}

}  // namespace ulna
