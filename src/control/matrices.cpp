#include "matrices.hpp"

#include <array>
#include <cmath>

namespace ulna::control {

Matrix product(const Matrix& a, const Matrix& b) { return a * b; }
Matrix product(const Matrix& a, const Matrix& b, const Matrix& c) { return product(product(a, b), c); }
Matrix transposed(const Matrix& a) { return a.transpose(); }
Matrix identity(Eigen::Index n) { return Matrix::Identity(n, n); }
Matrix solved(const Matrix& a, const Matrix& b) { return Eigen::FullPivLU<Matrix>(a).solve(b); }
Matrix inverse(const Matrix& a) { return solved(a, identity(a.rows())); }
Matrix symmetric(const Matrix& a) { return 0.5 * (a + transposed(a)); }

std::vector<std::complex<double>> eigenvalues(const Matrix& a, std::vector<int>* strongest) {
  const Eigen::EigenSolver<Matrix> solver(a);
  if (strongest != nullptr) {
    const Eigen::MatrixXcd vectors = solver.eigenvectors();
    strongest->clear();
    for (Eigen::Index k = 0; k < a.cols(); ++k) {
      Eigen::Index largest = 0;
      for (Eigen::Index i = 1; i < a.rows() / 2; ++i)
        if (std::abs(vectors(i, k)) > std::abs(vectors(largest, k))) largest = i;
      strongest->push_back(static_cast<int>(largest));
    }
  }
  const Eigen::VectorXcd& values = solver.eigenvalues();
  return {values.begin(), values.end()};
}

Matrix exponential(const Matrix& X) {
  static constexpr std::array<double, 14> b{64764752532480000.0,
                                            32382376266240000.0,
                                            7771770303897600.0,
                                            1187353796428800.0,
                                            129060195264000.0,
                                            10559470521600.0,
                                            670442572800.0,
                                            33522128640.0,
                                            1323241920.0,
                                            40840800.0,
                                            960960.0,
                                            16380.0,
                                            182.0,
                                            1.0};
  constexpr double within = 5.371920351148152;  // the norm up to which the approximant is exact to rounding
  const double norm = X.cwiseAbs().colwise().sum().maxCoeff();
  const int halvings = norm > within ? static_cast<int>(std::ceil(std::log2(norm / within))) : 0;
  const Matrix Y = std::ldexp(1.0, -halvings) * X, I = identity(X.rows());
  const Matrix Y2 = product(Y, Y), Y4 = product(Y2, Y2), Y6 = product(Y4, Y2);
  const auto sum = [&](int k) -> Matrix {  // of the even or odd half: b_k I + b_{k+2} Y² + b_{k+4} Y⁴ + b_{k+6} Y⁶
    const auto at = static_cast<std::size_t>(k);
    return b[at] * I + b[at + 2] * Y2 + b[at + 4] * Y4 + b[at + 6] * Y6;
  };
  const auto high = [&](int k) -> Matrix {
    const auto at = static_cast<std::size_t>(k);
    return product(Y6, Matrix(b[at] * Y2 + b[at + 2] * Y4 + b[at + 4] * Y6));
  };
  const Matrix even = sum(0) + high(8), odd = product(Y, Matrix(sum(1) + high(9)));
  Matrix result = solved(Matrix(even - odd), Matrix(even + odd));
  for (int k = 0; k < halvings; ++k) result = product(result, result);
  return result;
}

}  // namespace ulna::control
