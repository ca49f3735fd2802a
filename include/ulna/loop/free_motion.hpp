// What closed loops leave of a frame's motion.
#pragma once

#include "ulna/kinematics/tip_task.hpp"
#include "ulna/loop/loop_equations.hpp"

namespace ulna {

/// The frame's Jacobian in world axes for motions that keep the loops closed, at a closed position: 6 × the degrees of
/// freedom that the loops leave, in orthonormal directions of v.
std::vector<double> free_jacobian(const Model& model, const Frame& frame, VectorIn<double> q);

/// The frame's task under the loops, from closed positions all round q (fixed seed), which are found from it.
TipTask tip_task(const Model& model, const Frame& frame, VectorIn<double> q);

}  // namespace ulna
