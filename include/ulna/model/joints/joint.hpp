// What a joint kind has to say for itself; each kind is one file beside this one.
//
// A kind is an empty struct with static members (see revolute.hpp for the pattern):
//   nq, nv         how many positions and velocities it has
//   name           as robot files write it
//   place          from positions to the body's pose in its parent
//   drive          what the joint adds to the rates of its body (Newton–Euler, outward)
//   add_motion     m += S v
//   project        Sᵀ f
//   times          I S, column by column
// S, the motion subspace, is constant in the body frame: with the joint axis on z it is a choice
// of components and is never stored or multiplied.
#pragma once

#include <array>

#include "ulna/model/placement.hpp"

namespace ulna {

/// Angular velocity ω, angular acceleration α and acceleration a of the origin, in body axes.
/// Classical rates: no linear velocity is needed on the way (Luh, Walker and Paul 1980).
template <class T>
struct Rates {
  Vec3<T> omega, alpha, a;
};

/// Data of one joint that its kind needs at run time.
struct JointData {
  double pitch = 0.0;  // screw: metres per radian
};

}  // namespace ulna
