// Robots made by a rule instead of a file.
#pragma once

#include <string>

#include "ulna/model/graph.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

/// "chain:N": N equal links; "general:N": N revolute joints, no parameter zero. Throws InputError for any other family
/// or a bad N.
Graph generate(const std::string& robot);

}  // namespace ulna
#pragma GCC visibility pop
