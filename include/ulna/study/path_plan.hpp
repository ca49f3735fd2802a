// A path as its author wrote it: moves in the joints and in space, with what limits the motion along it. doc/paths.md
// describes the file.
#pragma once

#include "ulna/base/number.hpp"
#include "ulna/plan/fastest_timing.hpp"
#include "ulna/plan/tip_path.hpp"
#include "ulna/simulate/reference_motion.hpp"

namespace ulna {

/// One of joints, through, waypoints, line, arc and poses.
struct PathMove {
  JointNumbers joints{};                // straight in the joints to here
  std::vector<JointNumbers> through{};  // by a spline in the joints
  std::string waypoints{};              // the same from a file: t, q…
  std::optional<Vec3<double>> line{};   // straight in space; m, in the axes of the world
  std::optional<Vec3<double>> arc{}, via{};
  std::string poses{};                        // straight from one to the next of a file: t, x, y, z, qx, qy, qz, qw
  std::optional<Mat3<double>> orientation{};  // of line and arc; none: the one before
  double blend = 0.0;                         // m, in the joints rad or m: how far its corner may be missed
  Source source{};
};

struct PathPlan {
  std::string title{};
  std::string posture{};  // where it starts, by a name of the robot file; or
  JointNumbers start{};   // one for each joint; neither: the first move says where it starts
  std::string frame{};    // that goes along lines and arcs; none: the tip
  TipHold hold = TipHold::pose;
  // instead of the robot's: one for each joint or for all
  JointNumbers velocity{}, acceleration{}, effort{}, power{}, jerk{}, torque_rate{};
  double tip_speed = std::numeric_limits<double>::infinity();
  double tip_force = std::numeric_limits<double>::infinity(), tip_mass = 0.0;  // as in TimingLimits
  Vec3<double> tip_com{};
  std::vector<PathMove> moves{};
  Source source{};
};
/// Throws InputError with the lines.
PathPlan load_path_plan(const std::string& path);
PathPlan parse_path_plan(const std::string& text, const std::string& file);

/// Moves in the joints and moves in space have a rest between them. Throws InputError with the line of a move for what
/// is not of this robot; where a move in space cannot be followed, the path ends with its place (leg counts all moves).
TipPath path_of(const PathPlan& plan, const Model& model);
/// The robot's, with those of the plan in their places. Throws InputError.
TimingLimits limits_of(const PathPlan& plan, const Model& model);
/// Its fastest motion. Throws InputError where there is none, with the place and the reason.
std::shared_ptr<const ReferenceMotion> motion_of(const PathPlan& plan, const Model& model);

}  // namespace ulna
