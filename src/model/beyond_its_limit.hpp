// Positions beyond the limits of their joints, in words.
#pragma once

#include <string>

#include "ulna/model/model.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

/// "joint 'x' at 1.2, beyond its upper limit 1": the first that is further beyond a limit than `rounding`; else empty.
std::string beyond_its_limit(const Model& model, std::span<const double> q, double rounding);

}  // namespace ulna
#pragma GCC visibility pop
