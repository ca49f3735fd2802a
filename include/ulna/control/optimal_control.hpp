// Motions that cost least over a horizon, and the feedback around them: differential dynamic programming with limits of
// torque (Y. Tassa, N. Mansard and E. Todorov, "Control-limited differential dynamic programming", ICRA 2014).
//
// The dynamics are those of whole Runge–Kutta steps and so are their derivatives, which are exact; costs are sums of
// weighted squares, whose second derivatives are taken without those of what is squared (Gauss and Newton; iLQR).
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "ulna/kinematics/inverse_kinematics.hpp"

namespace ulna {

/// Half of the weighted squares of what is given, per second of the motion, or at its end, where no torque acts and
/// none has a weight.
struct ControlCost {
  std::vector<double> posture{},
      posture_weight{};                           // nq numbers, nv weights; weights without a posture: the neutral one
  std::vector<double> velocity_weight{};          // nv
  std::vector<double> torque{}, torque_weight{};  // of the actuated joints, in their order; from zero without `torque`
  std::vector<IkTarget> tips{};                   // with the weights of their positions and orientations
};

/// A frame's origin has to stay away from a point: half of the weight times the square of what is missing to the
/// radius, per second.
struct KeepOut {
  Frame frame{};
  Vec3<double> centre{0, 0, 0};
  double radius = 0.0, weight = 0.0;
};

enum class ControlStep {
  rk4,            // of fourth order; joints with a quaternion turn at their mean rate, which is of second
  semi_implicit,  // of first order, a quarter of the work
};

struct ControlProblem {
  int knots = 50;      // steps with a torque each
  double step = 0.02;  // s
  ControlStep method = ControlStep::rk4;
  std::vector<int> actuated{};           // velocity indices; none: all but a free base
  std::vector<double> lower{}, upper{};  // of their torques; none: the limits of the robot's file, kept always
  ControlCost running{}, terminal{};
  std::vector<KeepOut> keep_out{};
  double limit_weight = 0.0;  // of the square of what a joint is beyond its limits
  bool compiled = true;       // by the robot's own code where that can be had
};

class OptimalControl {
 public:
  /// Throws InputError for robots with closed loops and for numbers of a wrong size or sign.
  OptimalControl(const Model& model, ControlProblem problem);
  OptimalControl(Model&&, ControlProblem) = delete;
  OptimalControl(OptimalControl&&) noexcept;
  OptimalControl& operator=(OptimalControl&&) noexcept;
  ~OptimalControl();

  /// A new problem from this state, with torques that hold it as far as they can.
  void start(VectorIn<double> q, VectorIn<double> v);

  // Nothing below allocates.

  /// The same with torques to begin with: knots × actuated numbers, those of a knot together.
  void start(VectorIn<double> q, VectorIn<double> v, VectorIn<double> torques);
  /// From another state with the torques as they are, for control by prediction: the first `shift` knots are past, the
  /// last one stays.
  void restart(VectorIn<double> q, VectorIn<double> v, int shift);

  enum class Outcome {
    better,     // a motion that costs less
    converged,  // nothing costs less, to rounding
    stuck,      // what should cost less does not, however short the step: try another start
  };
  /// One iteration: derivatives, the way back, and a motion.
  Outcome iterate();
  /// Until it has converged or is stuck, or so often; `least` is the share of the cost below which an improvement is
  /// none. `proceed` is asked before each iteration; false ends it with the motion that there is.
  struct Solution {
    bool converged;
    int iterations;
    double cost;
  };
  Solution solve(int most_iterations, double least = 1e-9, const std::function<bool()>& proceed = {});

  double cost() const;
  int knots() const;
  std::span<const double> q(int knot) const;  // knots + 1 of them
  std::span<const double> v(int knot) const;
  std::span<const double> torque(int knot) const;  // of the actuated joints
  /// u = torque + K x, x the change of position and velocity: actuated × 2 nv, column by column, of the last iteration.
  MatrixView<const double> gains(int knot) const;
  /// What an iteration knows of one step: x[k+1] = A x[k] + B u[k], of the motion that it began with.
  MatrixView<const double> position_rows(int knot) const;  // nv × (2 nv + actuated)
  MatrixView<const double> velocity_rows(int knot) const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace ulna
