// CVODE's linear solver for systems part of which are integrals along the way (Ode::controlled()). SUNDIALS' dense one
// would factor them too, and is compiled for any processor: kuka_pd takes 1.4 times as long with it.
#pragma once

#include <sundials/sundials_linearsolver.h>

#include <cstddef>

#pragma GCC visibility push(hidden)
namespace ulna {

/// For dense matrices whose columns from `controlled` on are those of the unit matrix. Free with SUNLinSolFree().
SUNLinearSolver newton_solver(std::size_t controlled, SUNContext context);

}  // namespace ulna
#pragma GCC visibility pop
