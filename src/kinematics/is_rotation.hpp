// Whether a matrix that a user gave turns.
#pragma once

#include <cmath>

#include "ulna/spatial/mat3.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

/// As far as people round the numbers of a matrix; a mirror image is none.
inline bool is_rotation(const Mat3<double>& R) {
  constexpr double slack = 1e-3;
  const Vec3<double> x = R.column_x(), y = R.column_y(), z = R.column_z();
  return std::abs(dot(x, x) - 1.0) < slack && std::abs(dot(y, y) - 1.0) < slack && norm(cross(x, y) - z) < slack;
}

}  // namespace ulna
#pragma GCC visibility pop
