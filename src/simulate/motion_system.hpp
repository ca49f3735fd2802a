// The system that a setup's integrator sees.
#pragma once

#include "ulna/simulate/motion_ode.hpp"
#include "ulna/simulate/simulation.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

/// `tree` is the model without its loops. Keeps references to both.
std::unique_ptr<MotionOde> make_system(const Model& model, const Model& tree, const SimulationSetup& setup);

}  // namespace ulna
#pragma GCC visibility pop
