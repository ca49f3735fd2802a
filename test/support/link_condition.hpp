// The worst condition among the central inertias of a robot's links.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "ulna/dynamics/physical.hpp"

namespace ulna::test {

/// A formulation that inverts each link's inertia loses what that inverse loses.
inline double link_condition(const Model& model) {
  double worst = 1.0;
  for (int i = 0; i < model.body_count(); ++i) {
    const RigidInertia<double>& I = model.bodies()[static_cast<std::size_t>(i)].inertia;
    const Mat3<double> J = full(I.about_origin - RigidInertia<double>::m_skew_squared(I.mass, model.com(i)));
    const std::vector<double> column_major{J.xx, J.yx, J.zx, J.xy, J.yy, J.zy, J.xz, J.yz, J.zz};
    const double condition = symmetric_condition(column_major, 3);
    if (std::isfinite(condition)) worst = std::max(worst, condition);
  }
  return worst;
}

}  // namespace ulna::test
