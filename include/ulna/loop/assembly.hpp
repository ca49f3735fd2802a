// Closing the loops of a mechanism.
#pragma once

#include "ulna/loop/loop_equations.hpp"

namespace ulna {

/// Loops are brought to this residual.
inline constexpr double closed_residual = 1e-12;

/// Where ConstrainedDynamics::project() leaves more than this, the loops count as open.
inline constexpr double promised_residual = 1e-10;

struct Assembly {
  std::vector<double> q;
  bool closed;
  double residual;  // the largest
  int iterations;
  std::string worst_joint;  // where the residual is

  /// For an error message: by how much it is not closed, and where.
  std::string miss() const;
};

/// Closes the loops from an approximate position by damped Newton steps of least length with a line
/// search. Velocity indices in `held` keep their values (the drives).
Assembly assemble(const Model& model, VectorIn<double> q, std::span<const int> held = {});

}  // namespace ulna
