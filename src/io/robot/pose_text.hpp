// Roll, pitch and yaw of robot files.
#pragma once

#include <cmath>

#include "ulna/spatial/pose.hpp"

namespace ulna {

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
