// Angles of robot files as exact cosines and sines.
#pragma once

#include <cmath>
#include <numbers>

#include "ulna/spatial/pose.hpp"

namespace ulna {

/// Cosine and sine, exactly 0 and ±1 for multiples of a right angle (as far as a double can say
/// that it is one), so that an arm with square joints keeps its zeros.
inline Turn<double> exact_turn(double radians) {
  const double quarters = std::round(radians / (std::numbers::pi / 2));
  const bool right = std::fabs(radians - quarters * (std::numbers::pi / 2)) <= 4e-16 * (1.0 + std::fabs(radians));
  if (!right) return {std::cos(radians), std::sin(radians)};
  const int k = static_cast<int>(std::fmod(quarters, 4.0) + 4.0) % 4;
  return {k == 0 ? 1.0 : k == 2 ? -1.0 : 0.0, k == 1 ? 1.0 : k == 3 ? -1.0 : 0.0};
}

/// URDF's roll, pitch, yaw: Rz(yaw) Ry(pitch) Rx(roll).
inline Mat3<double> rotation_of_rpy(const Vec3<double>& rpy) {
  return rotation_z(exact_turn(rpy.z)) * rotation_y(exact_turn(rpy.y)) * rotation_x(exact_turn(rpy.x));
}

/// The inverse of the above, pitch in [−π/2, π/2]. Roll is read after the yaw is undone, so that
/// the product is right even near pitch ±π/2, where the two are not determined one by one.
inline Vec3<double> rpy_of_rotation(const Mat3<double>& R) {
  const double c = std::hypot(R.xx, R.yx);
  const double yaw = c > 1e-12 ? std::atan2(R.yx, R.xx) : 0.0;
  const Mat3<double> rest = transpose(rotation_z(exact_turn(yaw))) * R;
  return {std::atan2(-rest.yz, rest.yy), std::atan2(-R.zx, c), yaw};
}

}  // namespace ulna
