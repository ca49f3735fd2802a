// What a payload may weigh.
#pragma once

#include <string>

#include "is_finite.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

/// Throws InputError for a mass below zero and for numbers that are not finite.
inline void expect_payload(const MassData& payload, const std::string& frame) {
  if (!(payload.mass >= 0.0) || !is_finite(payload))
    throw InputError("the payload of '" + frame + "' needs a mass from 0 and finite numbers");
}

}  // namespace ulna
#pragma GCC visibility pop
