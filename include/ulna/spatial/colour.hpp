// The colour of what is drawn.
#pragma once

#include <array>

namespace ulna {

/// Red, green, blue and opacity, each from 0 to 1.
using Colour = std::array<double, 4>;

}  // namespace ulna
