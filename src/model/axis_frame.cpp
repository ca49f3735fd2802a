#include "axis_frame.hpp"

#include <cmath>

namespace ulna {

Mat3<double> rotation_to(const Vec3<double>& a) {
  const Turn<double> quarter{0.0, 1.0};
  if (a.x == 0.0 && a.y == 0.0) return a.z > 0 ? Mat3<double>::identity() : rotation_x(Turn<double>{-1.0, 0.0});
  if (a.y == 0.0 && a.z == 0.0) return rotation_y(a.x > 0 ? quarter : quarter.back());
  if (a.x == 0.0 && a.z == 0.0) return rotation_x(a.y > 0 ? quarter.back() : quarter);
  // I + [w]× + [w]×² / (1 + cos), w = z × a; turned over first where the axis points down
  if (a.z < 0.0) return rotation_x(Turn<double>{-1.0, 0.0}) * rotation_to(Vec3<double>{a.x, -a.y, -a.z});
  const Mat3<double> W = skew(Vec3<double>{-a.y, a.x, 0.0});
  return Mat3<double>::identity() + W + (1.0 / (1.0 + a.z)) * (W * W);
}

Zxz zxz(const Mat3<double>& R) {
  const double s = std::hypot(R.xz, R.yz);
  Zxz r{{1.0, 0.0}, {R.zz < 0.0 ? -1.0 : 1.0, 0.0}, {1.0, 0.0}};
  if (s > 1e-15) {
    const bool negative = R.yz > 0.0 || (R.yz == 0.0 && R.xz < 0.0);  // so that cos γ ≥ 0
    const double sin_alpha = negative ? -s : s;
    const double n = std::hypot(s, R.zz);
    r.gamma = {-R.yz / sin_alpha, R.xz / sin_alpha};
    r.alpha = {R.zz / n, sin_alpha / n};
  }
  const Mat3<double> rest = transpose(rotation_z(r.gamma) * rotation_x(r.alpha)) * R;
  const double n = std::hypot(rest.xx, rest.yx);
  r.theta = {rest.xx / n, rest.yx / n};
  return r;
}

}  // namespace ulna
