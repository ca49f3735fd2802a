// SUNDIALS CVODE behind Integrator: linear multistep methods of variable order and step.
#pragma once

#include <memory>

#include "ulna/integrate/integrator.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

/// Adams–Bashforth–Moulton of orders 1 to 12, predictor and corrector by functional iteration.
std::unique_ptr<Integrator> make_adams(Ode<double>& system, const IntegratorOptions& options);
/// Backward differentiation formulas of orders 1 to 5, for stiff systems; dense Newton.
std::unique_ptr<Integrator> make_bdf(Ode<double>& system, const IntegratorOptions& options);

}  // namespace ulna
#pragma GCC visibility pop
