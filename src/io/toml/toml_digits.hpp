// Numbers as TOML text that reads back as the same bits.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>

#pragma GCC visibility push(hidden)
namespace ulna {

/// All digits; −0 with a point, or it would be read as the whole number 0.
inline std::string toml_digits(double x) { return x == 0.0 && std::signbit(x) ? "-0.0" : fmt::format("{}", x); }

}  // namespace ulna
#pragma GCC visibility pop
