// The system that a setup's integrator sees.
#pragma once

#include "ulna/simulate/motion_ode.hpp"
#include "ulna/simulate/simulation.hpp"

namespace ulna {

/// Keeps a reference to the model.
std::unique_ptr<MotionOde> make_system(const ClosedModel& model, const SimulationSetup& setup);

}  // namespace ulna
