// Inverse kinematics of mechanisms: positions at which the loops are closed and frames stand where they are wanted,
// within the limits of the joints. Damped least squares on both at once, from many starts.
#pragma once

#include "ulna/kinematics/inverse_kinematics.hpp"
#include "ulna/loop/assembly.hpp"

namespace ulna {

/// As solve_ik() for robots with closed loops. Loops are closed as assemble() closes them wherever some start leads to
/// that, also at the nearest position of a target out of reach. Preferences are `any` and `near`. Throws InputError as
/// InverseKinematics does, for another preference, and where no closed position is found at all.
IkSolution solve_loop_ik(const Model& model, const std::vector<IkTarget>& targets, VectorIn<double> start = {},
                         IkPreference preference = IkPreference::any, const IkOptions& options = {});

}  // namespace ulna
