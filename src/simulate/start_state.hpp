// Where a run or a stepper begins: with quaternions that are some, and with closed loops.
#pragma once

#include <span>

#include "ulna/model/model.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

/// Throws InputError for a quaternion whose length is not near 1; those that are near are brought there by normalise().
void expect_start_quaternions(const Model& model, std::span<const double> q);

struct ClosedStart {
  double moved;  // by this much at most a number of q
  int rank;      // of the loop equations there
};
/// Brings a state to the closed position and velocity next to it. Throws InputError where there is none, or where the
/// loops leave nothing to move.
ClosedStart close_start(const Model& model, std::span<double> q, std::span<double> v);

}  // namespace ulna
#pragma GCC visibility pop
