// What a robot does over and over: a cycle of segments, in joints or at the tip, with loads that come and go, and what
// that asks of the joints. doc/size.md describes the file.
#pragma once

#include <optional>

#include "ulna/base/number.hpp"
#include "ulna/model/model.hpp"
#include "ulna/plan/tip_path.hpp"
#include "ulna/simulate/reference_motion.hpp"
#include "ulna/study/interrupted.hpp"

namespace ulna::sizing {

struct Segment {
  JointNumbers to{};                          // joints; or
  std::vector<Vec3<double>> points{};         // of the tip, world axes, straight from one to the next; or
  std::string path{};                         // the moves of a path file (doc/paths.md) from where the arm is; or
  double dwell = 0.0;                         // s of rest
  std::optional<Mat3<double>> orientation{};  // at the points; none: that before them
  TipHold hold = TipHold::pose;               // on the way to the points
  std::optional<double> time{};               // s; none: as fast as the robot's limits of speed and effort allow
  double payload = 0.0;                       // kg, a point mass at the tip
  Vec3<double> force{0, 0, 0};                // on the tip, world axes, N; with a time or a rest only
  Source source{};
};

struct Cycle {
  std::string title{};
  PointToPoint::Profile profile = PointToPoint::Profile::cycloid;  // of segments with a time
  double every = 0.005;  // s between two rows at most: a motion from rest to rest has 50 steps at least
  JointNumbers start{};
  std::vector<Segment> segments{};
  Source source{};  // of `start`
};
/// Throws InputError with the lines.
Cycle load_cycle(const std::string& path);
Cycle parse_cycle(const std::string& text, const std::string& file);

/// Rows of nv numbers, one for each time.
struct CycleMotion {
  std::vector<double> t{}, q{}, v{}, a{}, tau{};
  /// What it asks for is taken from these, between the rows too: by Simpson's rule in each part of the motion that is
  /// smooth, with accelerations and torques as that part has them at its ends.
  struct Samples {
    std::vector<double> weight{};         // s that each stands for; their sum is the time of the cycle
    std::vector<double> v{}, a{}, tau{};  // rows of nv numbers
  } samples{};
  std::vector<std::string> notes{};  // that it does not end where it began, or is faster than the robot's limits
};
/// Throws InputError, with the line of the segment, for one that the robot cannot do, for positions beyond the limits
/// of its joints, for closed loops, and for more than a million rows.
/// Throws Interrupted where it is not to go on.
CycleMotion run_cycle(const Graph& robot, const Cycle& cycle, const KeepGoing& keep_going = {});

}  // namespace ulna::sizing
