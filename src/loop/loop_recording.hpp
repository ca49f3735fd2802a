// Forward dynamics with closed loops up to the Schur complement, recorded.
#pragma once

#include "ulna/trace/recording.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

/// Of q, v and tau:
///   a       of the tree without its loops
///   r       b − A a
///   A       rows × nv, column by column
///   U, Y    H Aᵀ and D⁻¹ U (schur_complement.hpp), a row of `stride` numbers per velocity index
///   L       of M = Lᵀ D L, as composite_body::factor() leaves it, without D
/// Elements that do not change are constants of the recording. Throws std::length_error for a robot that is too large.
trace::Recording record_loops(const Model& model, std::size_t stride);

}  // namespace ulna
#pragma GCC visibility pop
