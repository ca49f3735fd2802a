#include "ulna/control/linear_system.hpp"

#include <algorithm>
#include <cmath>

#include "matrices.hpp"
#include "ulna/base/error.hpp"

namespace ulna {

namespace control {

void expect_system(const LinearSystem& system) {
  const auto n = static_cast<std::size_t>(system.states), m = static_cast<std::size_t>(system.inputs);
  if (system.states < 1 || system.inputs < 0 || system.A.size() != n * n || system.B.size() != n * m)
    throw InputError("A is not states × states, or B not states × inputs");
  for (const std::vector<double>* part : {&system.A, &system.B})
    if (!std::ranges::all_of(*part, [](double x) { return std::isfinite(x); }))
      throw InputError("a linear system has a number that is not finite");
}

namespace {

/// Whether no combination of the states stays out of the inputs' reach at this eigenvalue. As a real matrix, in which a
/// complex number is a block of two by two.
bool is_reached(const LinearSystem& system, std::complex<double> eigenvalue) {
  const Matrix A = matrix_of(system.A, system.states, system.states);
  const Matrix B = matrix_of(system.B, system.states, system.inputs);
  const Eigen::Index n = A.rows(), m = B.cols();
  const bool real = eigenvalue.imag() == 0.0;
  const Eigen::Index parts = real ? 1 : 2;
  Matrix pencil = Matrix::Zero(parts * n, parts * (n + m));
  for (Eigen::Index k = 0; k < parts; ++k) {
    pencil.block(k * n, k * n, n, n) = A - eigenvalue.real() * Matrix::Identity(n, n);
    pencil.block(k * n, parts * n + k * m, n, m) = B;
  }
  if (!real) {
    pencil.block(0, n, n, n).diagonal().setConstant(eigenvalue.imag());
    pencil.block(n, 0, n, n).diagonal().setConstant(-eigenvalue.imag());
  }
  // A double eigenvalue, as of a body that nothing holds, is known to half of the digits.
  constexpr double half_digits = 1.5e-8;
  // Light wrists have rows of 1e5 beside those of positions, which are 1; a row of rounding stays one.
  const double largest = pencil.norm();
  for (Eigen::Index i = 0; i < pencil.rows(); ++i)
    pencil.row(i) /= std::max(pencil.row(i).norm(), half_digits * largest);
  Eigen::ColPivHouseholderQR<Matrix> qr(Matrix(pencil.transpose()));
  qr.setThreshold(half_digits);
  return qr.rank() == pencil.rows();
}

}  // namespace
}  // namespace control

std::vector<LinearMode> modes(const LinearSystem& system) {
  control::expect_system(system);
  std::vector<int> strongest;
  const std::vector<std::complex<double>> values =
      control::eigenvalues(control::matrix_of(system.A, system.states, system.states), &strongest);
  std::vector<LinearMode> list;
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (values[k].imag() < 0.0) continue;
    const double frequency = std::abs(values[k]);
    list.push_back({values[k], frequency, frequency > 0.0 ? -values[k].real() / frequency : 0.0, strongest[k],
                    control::is_reached(system, values[k])});
  }
  std::ranges::stable_sort(list, {}, &LinearMode::frequency);
  return list;
}

LinearSystem sampled(const LinearSystem& system, double period) {
  control::expect_system(system);
  if (!(period > 0.0) || !std::isfinite(period)) throw InputError("a sampling period is a positive number");
  const int n = system.states, m = system.inputs;
  control::Matrix both = control::Matrix::Zero(n + m, n + m);
  both.topLeftCorner(n, n) = period * control::matrix_of(system.A, n, n);
  both.topRightCorner(n, m) = period * control::matrix_of(system.B, n, m);
  const control::Matrix step = control::exponential(both);
  return {n, m, control::elements_of(step.topLeftCorner(n, n)), control::elements_of(step.topRightCorner(n, m))};
}

}  // namespace ulna
