// Velocities and accelerations that the loops of a mechanism allow.
#pragma once

#include "ulna/loop/loop_equations.hpp"

namespace ulna {

/// v with A v = 0 and the given values at the independent velocity indices; b instead of 0 gives
/// accelerations. Throws InputError when they do not determine the others: too few, too many, or a
/// singular position.
std::vector<double> dependent_rates(const LoopEquations& equations, std::span<const int> independent,
                                    VectorIn<double> values, VectorIn<double> right_side);

/// The rates with A x = right side that differ least from the given ones.
std::vector<double> nearest_rates(const LoopEquations& equations, VectorIn<double> values, VectorIn<double> right_side);

/// The rates with A x = right side, from a rate for every degree of freedom: those at the `independent` velocity
/// indices decide all others; without any the nearest ones.
std::vector<double> closed_rates(const LoopEquations& equations, VectorIn<double> rates, VectorIn<double> right_side,
                                 std::span<const int> independent = {});

}  // namespace ulna
