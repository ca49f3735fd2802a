// Rotations as people write them: quaternions x, y, z, w to a few digits.
#pragma once

#include <cmath>
#include <span>

#include "ulna/spatial/rotation.hpp"

namespace ulna {

struct WrittenRotation {
  double length;          // of the quaternion as it was written
  Mat3<double> rotation;  // of the same, made a unit

  bool is_unit() const { return std::abs(length - 1.0) < 1e-3; }
};

inline WrittenRotation written_rotation(std::span<const double, 4> x) {
  const double length = std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3]);
  return {length, rotation_of_quaternion(x[0] / length, x[1] / length, x[2] / length, x[3] / length)};
}

}  // namespace ulna
