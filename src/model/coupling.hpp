// Motors that several joints share.
#pragma once

#include "ulna/model/model.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

/// What is wrong with the couplings of a graph.
std::vector<Finding> coupling_findings(const Graph& graph);

/// The motors of a sound one, whose joints have these velocity indices.
Coupling coupling_of(const GraphCoupling& written, std::vector<int> v, double friction_speed);

/// What the motors can do together, at the j-th of their joints: no more than this, and all of it only while the others
/// ask for nothing else.
Limits joint_limits(const Coupling& coupling, std::size_t j);

}  // namespace ulna
#pragma GCC visibility pop
