// A robot in somebody's library, seen through Ulna's conventions: its order of q and v, its
// velocities of free and spherical joints. The peers' own types stay inside their .cpp files (beside this one).
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ulna/model/model.hpp"
#include "ulna/real/matrix_view.hpp"

namespace ulna::peers {

using Input = std::span<const double>;
using Output = std::span<double>;

class Peer {
 public:
  virtual ~Peer() = default;
  virtual Pose<double> tip_pose(Input q) = 0;
  virtual void inverse_dynamics(Input q, Input v, Input a, Output tau) = 0;
  virtual void forward_dynamics(Input q, Input v, Input tau, Output a) = 0;
  virtual void mass_matrix(Input q, MatrixView<double> M) = 0;
  /// 6 × nv at the tip's origin in world axes, angular rows first. False: there is none here.
  virtual bool tip_jacobian(Input /*q*/, MatrixView<double> /*J*/) { return false; }
  /// a with ∂a/∂q, ∂a/∂v and ∂a/∂τ, as articulated_body::forward_derivatives has them. False: there are none here.
  virtual bool forward_derivatives(Input /*q*/, Input /*v*/, Input /*tau*/, Output /*a*/, MatrixView<double> /*dq*/,
                                   MatrixView<double> /*dv*/, MatrixView<double> /*dtau*/) {
    return false;
  }
  /// Without torques through `count` steps of the library's own Runge–Kutta method of order 4, from q
  /// and v to where they end. False: there is none here for this robot.
  virtual bool run_free(double /*step*/, long /*count*/, Output /*q*/, Output /*v*/) { return false; }
};

/// A peer's robot, or why the peer cannot have it.
struct Made {
  std::unique_ptr<Peer> robot;
  std::string refusal;
};

}  // namespace ulna::peers
