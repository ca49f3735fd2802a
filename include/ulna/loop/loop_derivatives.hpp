// Derivatives of forward dynamics with closed loops, exact.
#pragma once

#include "ulna/loop/constrained_dynamics.hpp"

namespace ulna {

/// Forward dynamics over duals behind Method: accelerations as ConstrainedDynamics has them by the Schur complement,
/// and how they change in four directions, from what M a + h = τ + Aᵀλ and A a = b miss there for the same a and λ.
/// Where equations are redundant on the loops, states off the loops are taken to keep those that are independent.
std::unique_ptr<Method<Dual4>> make_loop_derivatives(const Model& model);
std::unique_ptr<Method<Dual4>> make_loop_derivatives(Model&&) = delete;

}  // namespace ulna
