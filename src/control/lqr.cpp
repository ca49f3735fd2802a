#include "ulna/control/lqr.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "matrices.hpp"
#include "ulna/base/error.hpp"

namespace ulna {

namespace control {
namespace {

/// X = Q + Aᵀ X (I + G X)⁻¹ A, the sampled Riccati equation with G = B R⁻¹ Bᵀ; and what doubling works on.
struct SampledRiccati {
  Matrix A, G, H;
};

/// Nothing where it does not converge: 2⁶⁰ steps are more than any stable system needs.
std::optional<Matrix> doubled(SampledRiccati x) {
  constexpr int most_doublings = 60;
  for (int k = 0; k < most_doublings; ++k) {
    const Matrix W = inverse(identity(x.A.rows()) + product(x.G, x.H)), At = transposed(x.A);
    const Matrix WA = product(W, x.A), step = product(At, x.H, WA);
    x.G = symmetric(x.G + product(product(x.A, W, x.G), At));
    x.A = product(x.A, WA);
    x.H = symmetric(x.H + step);
    if (!x.H.allFinite()) return std::nullopt;
    if (step.norm() <= std::numeric_limits<double>::epsilon() * x.H.norm()) return x.H;
  }
  return std::nullopt;
}

/// AᵀX + X A − X G X + Q = 0 as a sampled equation with the same solution, by a Cayley transform at `gamma`.
SampledRiccati cayley(const Matrix& A, const Matrix& G, const Matrix& Q, double gamma) {
  const Matrix I = identity(A.rows()), shifted = A - gamma * I, S = inverse(shifted), SG = product(S, G);
  const Matrix V = 2.0 * gamma * inverse(transposed(shifted) + product(Q, SG));
  return {I + transposed(V), product(SG, V), product(V, Q, S)};
}

/// One step of Newton's method (Kleinman 1968) on the continuous equation: what doubling leaves of rounding goes.
Matrix refined(const Matrix& A, const Matrix& G, const Matrix& Q, const Matrix& X, double gamma) {
  // Fᵀ D + D F = −residual, F the closed loop, by Smith's doubling.
  const Matrix I = identity(A.rows()), GX = product(G, X), F = A - GX, XA = product(X, A);
  const Matrix residual = XA + transposed(XA) - product(X, GX) + Q, inner = inverse(F - gamma * I);
  Matrix S = product(F + gamma * I, inner), D = 2.0 * gamma * product(transposed(inner), residual, inner);
  for (int k = 0; k < 60 && S.norm() > std::numeric_limits<double>::epsilon(); ++k) {
    D += product(transposed(S), D, S);
    S = product(S, S);
    if (!S.allFinite() || !D.allFinite()) return X;
  }
  return X + symmetric(D);
}

/// In the middle of the closed loop's eigenvalues: the geometric mean of the Hamiltonian's.
double middle_of(const Matrix& A, const Matrix& G, const Matrix& Q) {
  const Eigen::Index n = A.rows();
  Matrix hamiltonian(2 * n, 2 * n);
  hamiltonian.topLeftCorner(n, n) = A;
  hamiltonian.topRightCorner(n, n) = -G;
  hamiltonian.bottomLeftCorner(n, n) = -Q;
  hamiltonian.bottomRightCorner(n, n) = -transposed(A);
  double sum = 0.0;
  for (const std::complex<double>& value : eigenvalues(hamiltonian))
    if (std::abs(value) > 0.0) sum += std::log(std::abs(value));
  return std::exp(sum / static_cast<double>(2 * n));
}

void expect_weights(const LinearSystem& system, const LqrWeights& weights) {
  if (weights.state.size() != static_cast<std::size_t>(system.states) ||
      weights.input.size() != static_cast<std::size_t>(system.inputs))
    throw InputError(fmt::format("weights are one for each of {} states and {} inputs; {} and {} are given",
                                 system.states, system.inputs, weights.state.size(), weights.input.size()));
  for (const double w : weights.state)
    if (!(w >= 0.0) || !std::isfinite(w)) throw InputError("the weight of a state is 0 or a positive number");
  for (const double w : weights.input)
    if (!(w > 0.0) || !std::isfinite(w)) throw InputError("the weight of an input is a positive number");
}

Matrix diagonal(const std::vector<double>& x) {
  return Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size())).asDiagonal();
}

/// Empty, or the mode that stands against any feedback.
std::string refusal(const LinearSystem& system) {
  for (const LinearMode& mode : modes(system)) {
    // Where a double eigenvalue is known to half of the digits, 0 is not told from a slow decay.
    const double rounding = 1.5e-8 * (1.0 + matrix_of(system.A, system.states, system.states).norm());
    if (mode.controllable || mode.eigenvalue.real() < -rounding) continue;
    return fmt::format("the mode with eigenvalue {:.4g}{:+.4g}i does not die out, and no input changes it",
                       mode.eigenvalue.real(), mode.eigenvalue.imag());
  }
  return {};
}

/// A free joint that costs nothing is a double eigenvalue, its position changing by `coupling` times its rate: rounding
/// of A by ε‖A‖ moves it by the root of their product. With the whole of ‖A‖, which dry friction at rest makes large,
/// the slow modes of real arms would be taken for it.
double double_rounding(const Matrix& A, double coupling) { return 1.5e-8 * std::sqrt(coupling * (1.0 + A.norm())); }

/// `growth` of a pole is below 0 where its mode dies out.
LqrGains gains(const Matrix& K, const Matrix& P, const Matrix& loop, double rounding,
               double growth(std::complex<double>)) {
  LqrGains result{elements_of(K), elements_of(P), eigenvalues(loop), {}};
  if (!std::ranges::all_of(result.poles, [&](std::complex<double> pole) { return growth(pole) < -rounding; }))
    result.reason = "a mode that costs nothing is left as it is; give its states a weight";
  return result;
}

/// The cost of a time between two samples with held inputs: xᵀQx + 2 xᵀN u + uᵀRu (Van Loan 1978).
struct SampledCost {
  Matrix A, B, Q, N, R;
};
SampledCost sampled_cost(const LinearSystem& system, const LqrWeights& weights, double period) {
  const int n = system.states, m = system.inputs, both = n + m;
  Matrix F = Matrix::Zero(both, both), W = Matrix::Zero(both, both);
  F.topLeftCorner(n, n) = matrix_of(system.A, n, n);
  F.topRightCorner(n, m) = matrix_of(system.B, n, m);
  W.topLeftCorner(n, n) = diagonal(weights.state);
  W.bottomRightCorner(m, m) = diagonal(weights.input);
  // The block's e^(−Fᵀt) grows as fast as a damped mode dies out, and over many of its time constants no digit of the
  // cost is left. Over a part of the period it is near 1; from there the cost is doubled.
  const double length = period * F.norm();
  const int doublings = length > 1.0 && std::isfinite(length) ? static_cast<int>(std::ceil(std::log2(length))) : 0;
  const double part = std::ldexp(period, -doublings);
  Matrix block = Matrix::Zero(2 * both, 2 * both);
  block.topLeftCorner(both, both) = -part * transposed(F);
  block.topRightCorner(both, both) = part * W;
  block.bottomRightCorner(both, both) = part * F;
  const Matrix e = exponential(block), upper = e.topRightCorner(both, both);
  Matrix step = e.bottomRightCorner(both, both), even = symmetric(product(transposed(step), upper));
  for (int k = 0; k < doublings; ++k) {
    even = symmetric(even + product(transposed(step), even, step));
    step = product(step, step);
  }
  return {step.topLeftCorner(n, n), step.topRightCorner(n, m), even.topLeftCorner(n, n), even.topRightCorner(n, m),
          even.bottomRightCorner(m, m)};
}

LqrGains none(std::string reason) { return {{}, {}, {}, std::move(reason)}; }
constexpr const char* not_converged = "the Riccati equation has no stable solution to working precision";

}  // namespace
}  // namespace control

LqrGains lqr(const LinearSystem& system, const LqrWeights& weights) {
  using namespace control;
  expect_system(system);
  expect_weights(system, weights);
  if (std::string reason = refusal(system); !reason.empty()) return none(std::move(reason));
  const Matrix A = matrix_of(system.A, system.states, system.states);
  const Matrix B = matrix_of(system.B, system.states, system.inputs);
  const Matrix RB = product(inverse(diagonal(weights.input)), transposed(B)), G = product(B, RB);
  const Matrix Q = diagonal(weights.state);
  const double gamma = middle_of(A, G, Q);
  const std::optional<Matrix> X = doubled(cayley(A, G, Q, gamma));
  if (!X) return none(not_converged);
  const Matrix P = refined(A, G, Q, *X, gamma), K = product(RB, P);
  return gains(K, P, A - product(B, K), double_rounding(A, 1.0), [](std::complex<double> pole) { return pole.real(); });
}

LqrGains sampled_lqr(const LinearSystem& system, const LqrWeights& weights, double period) {
  using namespace control;
  expect_system(system);
  expect_weights(system, weights);
  if (!(period > 0.0) || !std::isfinite(period)) throw InputError("a sampling period is a positive number");
  if (std::string reason = refusal(system); !reason.empty()) return none(std::move(reason));
  const SampledCost c = sampled_cost(system, weights, period);
  // u = w − R⁻¹Nᵀx leaves a cost without a product of x and w.
  const Matrix RN = solved(c.R, transposed(c.N)), A = c.A - product(c.B, RN), Q = c.Q - product(c.N, RN);
  const Matrix G = product(c.B, solved(c.R, transposed(c.B)));
  const std::optional<Matrix> P = doubled({A, G, Q});
  if (!P) return none(not_converged);
  const Matrix BP = product(transposed(c.B), *P), K = solved(c.R + product(BP, c.B), product(BP, A)) + RN;
  return gains(K, *P, c.A - product(c.B, K), double_rounding(c.A, period),
               [](std::complex<double> pole) { return std::abs(pole) - 1.0; });
}

}  // namespace ulna
