// The turn that takes z to an axis, by the rule of doc/conventions.md.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "ulna/spatial/lie.hpp"

namespace ulna::test {

/// The shortest one, after half a turn about x where the axis points down.
inline Mat3<double> turn_to(const Vec3<double>& axis) {
  const Mat3<double> over{1, 0, 0, 0, -1, 0, 0, 0, -1};
  if (axis.z < 0.0) return over * turn_to(over * axis);
  const Vec3<double> w = cross(Vec3<double>{0, 0, 1}, axis);
  return exp_rotation((std::atan2(norm(w), axis.z) / std::max(norm(w), 1e-300)) * w);
}

}  // namespace ulna::test
