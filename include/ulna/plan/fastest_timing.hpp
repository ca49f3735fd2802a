// The fastest motion along a path that the motors allow: limits of joint and tip speed, acceleration, torque and force
// at the tip, with the full dynamics, by reachability analysis (H. Pham and Q.-C. Pham, "A new approach to time-optimal
// path parameterization based on reachability analysis", IEEE Transactions on Robotics 34(3), 2018).
//
// With x = ṡ² and u = s̈ a torque along the path is τ = (M q′) u + (M q″ + C(q, q′) q′) x + g(q) + friction: linear in u
// and x, but for viscous friction, whose √x is taken from the round before until it no longer changes. So are limits of
// power and torques that fall with the speed, by tangents (a motion within them may be a local optimum). In an interval
// u is constant. Limits hold at both of its ends to rounding. Between them a limit is passed in second order of its
// length: of hundreds of random splines with a thousand intervals by 0.2 % at most (bench_plan). The force at the tip
// is linear in u and x as a vector; a polygon of 32 sides in the circle of its limit gives away 0.5 % at most.
//
// Limits of jerk and torque rate are kept by a second step: s is a cubic spline of time whose duration is made as short
// as it gets by an interior-point method, from a start within all limits. That is a local optimum, which for one joint
// is the profile of seven segments. No limit is passed by more than 0.2 %, at the intervals' ends or between. Where q‴
// jumps, which it does at the waypoints of a spline, that costs up to a percent of the time.
#pragma once

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "ulna/model/model.hpp"
#include "ulna/plan/path.hpp"

namespace ulna {

/// By joint, both ways; infinite where there is none.
struct TimingLimits {
  std::vector<double> velocity, acceleration, torque;
  std::vector<double> power{};                                 // W of the joint, driving and braking; empty: no limits
  double tip_speed = std::numeric_limits<double>::infinity();  // m/s of the tip's origin
  // N between the tip and a mass of `tip_mass` kg whose centre is at `tip_com`, in the tip's frame: |m (a − g)|; needs
  // limits of torque or acceleration too
  double tip_force = std::numeric_limits<double>::infinity(), tip_mass = 0.0;
  Vec3<double> tip_com{};
  std::vector<double> jerk{}, torque_rate{};  // rad/s³ or m/s³; N m/s or N/s; empty: no limits
};
/// What the robot's file says of velocity and effort; it knows no limits of acceleration. Efforts that fall with the
/// speed hold where the limit of torque is the robot's own; limits of motors that joints share hold beside these.
TimingLimits timing_limits(const Model& model);

struct TimingOptions {
  int intervals = 1000;  // at least; the ends of the path's pieces are between two
};

/// When a motion is where.
class Timing {
 public:
  bool possible() const { return reason.empty(); }
  double duration() const { return times.empty() ? 0.0 : times.back(); }
  struct Place {
    double s, speed, acceleration;  // s, ṡ, s̈
    std::size_t interval;
  };
  /// Before its beginning and after its end it rests; at these it has the s̈ that it begins and ends with. `inside` is a
  /// time in the interval that is meant: at its end t belongs to two, with an s̈ each.
  Place at(double t, double inside) const;
  Place at(double t) const { return at(t, t); }

  // At the ends of the intervals: path length, ṡ and time; of each interval s̈, which is that at its beginning where
  // there is a jerk s⃛, and the piece of the path it is on.
  std::vector<double> s, speed, times, acceleration;
  std::vector<double> jerk;   // empty: s̈ is constant in each interval
  std::vector<double> limit;  // at the ends: the largest ṡ from which the rest of the path can be followed
  std::vector<std::size_t> piece;
  /// Where nothing is possible: why, and at which s.
  std::string reason;
  double blocked_at = 0.0;
};

/// For one robot; it keeps the workspaces. The model must stay alive.
class FastestTiming {
 public:
  /// Throws InputError for robots with closed loops or quaternions in q, and for limits that are not positive or not
  /// one for each joint.
  FastestTiming(const Model& model, TimingLimits limits, const TimingOptions& options = {});
  FastestTiming(Model&&, TimingLimits, const TimingOptions& = {}) = delete;
  FastestTiming(FastestTiming&&) noexcept;
  FastestTiming& operator=(FastestTiming&&) noexcept;
  ~FastestTiming();

  /// From rest to rest. Throws InputError for a path of other joints, and where nothing limits the motion.
  Timing operator()(const Path& path);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

/// For one call.
Timing fastest_timing(const Model& model, const Path& path, TimingLimits limits, const TimingOptions& options = {});

}  // namespace ulna
