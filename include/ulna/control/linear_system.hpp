// ẋ = A x + B u: its modes, how they die out, and which of them the inputs can change.
#pragma once

#include <complex>
#include <vector>

#include "ulna/real/matrix_view.hpp"

namespace ulna {

struct LinearSystem {
  int states = 0, inputs = 0;
  std::vector<double> A{}, B{};  // column by column

  MatrixView<const double> a_matrix() const { return {A.data(), states, states}; }
  MatrixView<const double> b_matrix() const { return {B.data(), states, inputs}; }
};

/// A motion x = Re(c e^{λt}); of two conjugate λ the one above the real axis stands for both.
struct LinearMode {
  std::complex<double> eigenvalue;
  double frequency;   // |λ|, rad/s: the natural one
  double damping;     // −Re λ / |λ|: 1 and more dies out without swinging, below 0 it grows; 0 where λ is 0
  int strongest;      // the state that moves most
  bool controllable;  // the inputs change it: [A − λ, B] has full rank (Popov, Belevitch, Hautus)
};

/// Slowest first. Throws InputError where A or B is not finite.
std::vector<LinearMode> modes(const LinearSystem& system);

/// The same system at times k·period, its inputs held between: x[k+1] = A x[k] + B u[k], exactly.
LinearSystem sampled(const LinearSystem& system, double period);

}  // namespace ulna
