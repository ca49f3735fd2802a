#include <Eigen/Dense>
#include <cmath>

#include "ulna/dynamics/constraint_force/mobility.hpp"

namespace ulna::constraint_force {

namespace {

Eigen::Matrix3d central_inertia(const RigidInertia<double>& inertia) {
  const Vec3<double> c = (1.0 / inertia.mass) * inertia.h;
  const Sym3<double> I = inertia.about_centre(c);
  Eigen::Matrix3d m;
  m << I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz;
  return m;
}

}  // namespace

bool has_mobility(const RigidInertia<double>& inertia) {
  if (inertia.mass == 0.0) return false;
  const Eigen::Vector3d e =
      Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(central_inertia(inertia), Eigen::EigenvaluesOnly).eigenvalues();
  // A cylinder of 0.1 mm and 1 m has 1e-8; less is a rod without thickness and its rounding.
  return e.cwiseAbs().minCoeff() > 1e-12 * e.cwiseAbs().maxCoeff();
}

Mobility<double> mobility_of(const RigidInertia<double>& inertia) {
  const Vec3<double> c = (1.0 / inertia.mass) * inertia.h;
  const Eigen::Matrix3d J = central_inertia(inertia).inverse();
  const Sym3<double> aa{J(0, 0), J(1, 1), J(2, 2), J(0, 1), J(0, 2), J(1, 2)};
  const double m = 1.0 / inertia.mass;
  return at_point(Mobility<double>{aa, Mat3<double>::zero(), Sym3<double>::diagonal(m)}, -c);
}

}  // namespace ulna::constraint_force
