// All postures that reach a target.
#pragma once

#include "ik_refine.hpp"
#include "ik_search.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

InverseKinematics::Postures find_postures(const IkProblem& problem, IkSearch& search, IkRefiner& refiner,
                                          std::span<const Pose<double>> poses, int samples);

}  // namespace ulna
#pragma GCC visibility pop
