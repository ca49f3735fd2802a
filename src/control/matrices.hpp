// What the files of this folder need of dense algebra.
#pragma once

#include <Eigen/Dense>

#include "kinematics/decompositions.hpp"
#include "ulna/control/linear_system.hpp"

#pragma GCC visibility push(hidden)
namespace ulna::control {

using Matrix = Eigen::MatrixXd;

inline Matrix matrix_of(const std::vector<double>& elements, int rows, int cols) {
  return Eigen::Map<const Matrix>(elements.data(), rows, cols);
}
inline std::vector<double> elements_of(const Matrix& m) { return {m.data(), m.data() + m.size()}; }

// Products and solutions of plain matrices, compiled once: each kind of expression of Eigen's takes a second.

Matrix product(const Matrix& a, const Matrix& b);
/// a b c.
Matrix product(const Matrix& a, const Matrix& b, const Matrix& c);
Matrix transposed(const Matrix& a);
Matrix identity(Eigen::Index n);
/// a⁻¹ b.
Matrix solved(const Matrix& a, const Matrix& b);
Matrix inverse(const Matrix& a);
/// Their mean with their transpose: rounding off.
Matrix symmetric(const Matrix& a);

/// Eigenvalues, and where asked for the element of each eigenvector's first half that is largest.
std::vector<std::complex<double>> eigenvalues(const Matrix& a, std::vector<int>* strongest = nullptr);

/// e^X by a Padé approximant of degree 13 after halving (Higham 2005). Eigen's own stands in its unsupported part,
/// with all other functions of matrices, which take longer to compile than this folder.
Matrix exponential(const Matrix& X);

/// Throws InputError where A or B is not finite, or of other sizes than it says.
void expect_system(const LinearSystem& system);

}  // namespace ulna::control
#pragma GCC visibility pop
