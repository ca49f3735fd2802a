// sin and cos of a robot's constant angles, exact at right angles, so that an arm with square joints keeps its zeros.
#pragma once

#include <cmath>
#include <numbers>

#include "ulna/real/basic.hpp"

namespace ulna {

/// Which multiple of a right angle this is, 0 … 3, as far as a double can say that it is one; −1 if it is none.
inline int quarter_turns(double radians) {
  const double quarters = std::round(radians / (std::numbers::pi / 2));
  const double rest = std::fabs(radians - quarters * (std::numbers::pi / 2));
  if (!(rest <= 4e-16 * (1.0 + std::fabs(radians)))) return -1;
  return static_cast<int>(std::fmod(std::fmod(quarters, 4.0) + 4.0, 4.0));
}

inline SinCos<double> exact_sincos(double radians) {
  switch (quarter_turns(radians)) {
    case 0: return {0.0, 1.0};
    case 1: return {1.0, 0.0};
    case 2: return {0.0, -1.0};
    case 3: return {-1.0, 0.0};
    default: return {std::sin(radians), std::cos(radians)};
  }
}

}  // namespace ulna
