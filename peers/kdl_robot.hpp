// Orocos KDL's model of a robot. KDL has fixed bases and revolute and prismatic joints; its solvers
// honour armature ("joint inertia") and ignore damping and stiffness.
#pragma once

#include "peers/peer.hpp"

namespace ulna::peers {

/// A KDL::Chain where no body carries two others, else a KDL::Tree.
Made make_kdl_robot(const Graph& graph, const Model& model);

/// KDL's solvers of inverse kinematics for the tip, from a start; whether they say that they arrived within 1e-6 m and
/// rad.
class KdlIk {
 public:
  virtual ~KdlIk() = default;
  /// ChainIkSolverPos_NR_JL: Newton and Raphson's method, clamped to the limits.
  virtual bool solve_newton(const Pose<double>& pose, Input start, Output q) = 0;
  /// ChainIkSolverPos_LMA: Levenberg and Marquardt's, which knows no limits.
  virtual bool solve_levenberg(const Pose<double>& pose, Input start, Output q) = 0;
};
/// Null where KDL cannot have the robot.
std::unique_ptr<KdlIk> make_kdl_ik(const Graph& graph, const Model& model);

}  // namespace ulna::peers
