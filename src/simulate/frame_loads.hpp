// The frame loads of a run, over a scalar.
#pragma once

#include "ulna/simulate/frame_load.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

/// Adds what a load does at a state; the kinematics stands there, with velocities.
template <Real T>
void add_load(const FrameLoad& load, const Model& model, const Kinematics<T>& kinematics, FrameWrenches<T>& wrenches);

}  // namespace ulna
#pragma GCC visibility pop
