// The principal moments of a tensor of inertia, and whether a body can have them.
#pragma once

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "ulna/spatial/mat3.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

struct PrincipalMoments {
  Vec3<double> moments;  // rising
  double rounding;       // of them

  bool is_negative() const { return moments.x < -rounding; }
  /// By how much the largest is more than the others together; no body has it so.
  double excess() const { return moments.z - moments.x - moments.y; }
  bool is_impossible() const { return excess() > rounding; }
};

inline PrincipalMoments principal_moments(const Sym3<double>& inertia) {
  Eigen::Matrix3d I;
  I << inertia.xx, inertia.xy, inertia.xz, inertia.xy, inertia.yy, inertia.yz, inertia.xz, inertia.yz, inertia.zz;
  const Eigen::Vector3d e = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(I, Eigen::EigenvaluesOnly).eigenvalues();
  return {{e[0], e[1], e[2]}, 1e-9 * std::max(std::fabs(e[0]), std::fabs(e[2]))};
}

}  // namespace ulna
#pragma GCC visibility pop
