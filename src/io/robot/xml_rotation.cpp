#include "io/robot/xml_rotation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ulna {

Mat3<double> rotation_of_any_quaternion(const XmlElement& element, double x, double y, double z, double w) {
  double largest = 0.0;
  for (const double part : {x, y, z, w}) largest = std::max(largest, std::fabs(part));
  if (!(largest > 1e-100))
    throw InputError(element.source(), fmt::format("a quaternion of <{}> is zero; give a rotation", element.name));
  for (double* part : {&x, &y, &z, &w}) *part /= largest;
  const double scale = 1.0 / (w * w + x * x + y * y + z * z);
  return scale *
         Mat3<double>{w * w + x * x - y * y - z * z, 2.0 * (x * y - w * z),         2.0 * (x * z + w * y),
                      2.0 * (x * y + w * z),         w * w - x * x + y * y - z * z, 2.0 * (y * z - w * x),
                      2.0 * (x * z - w * y),         2.0 * (y * z + w * x),         w * w - x * x - y * y + z * z};
}

}  // namespace ulna
