// Whether all numbers of a thing are finite.
#pragma once

#include <cmath>

#include "ulna/model/graph.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

inline bool is_finite(const Vec3<double>& a) { return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z); }
inline bool is_finite(const Mat3<double>& a) {
  return is_finite(a.row_x()) && is_finite(a.row_y()) && is_finite(a.row_z());
}
inline bool is_finite(const Sym3<double>& a) { return is_finite(full(a)); }
inline bool is_finite(const MassData& a) { return std::isfinite(a.mass) && is_finite(a.com) && is_finite(a.inertia); }
inline bool is_finite(const Pose<double>& a) { return is_finite(a.R) && is_finite(a.p); }
inline bool is_finite(const RigidInertia<double>& a) {
  return std::isfinite(a.mass) && is_finite(a.h) && is_finite(a.about_origin);
}

}  // namespace ulna
#pragma GCC visibility pop
