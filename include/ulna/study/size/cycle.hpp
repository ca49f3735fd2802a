// What a robot does over and over: a cycle of segments, in joints or at the tip, with loads that come and go, and what
// that asks of the joints. doc/size.md describes the file.
#pragma once

#include <optional>

#include "ulna/base/number.hpp"
#include "ulna/model/model.hpp"
#include "ulna/simulate/reference_motion.hpp"
#include "ulna/study/interrupted.hpp"

namespace ulna::sizing {

struct Segment {
  JointNumbers to{};  // joints; or
  std::vector<Vec3<double>>
      points{};                  // of the tip, world axes, straight from one to the next, its orientation kept; or
  double dwell = 0.0;            // s of rest
  std::optional<double> time{};  // s; none: as fast as the robot's limits of speed and effort allow
  double payload = 0.0;          // kg, a point mass at the tip
  Vec3<double> force{0, 0, 0};   // on the tip, world axes, N; with a time or a rest only
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
  std::vector<std::string> notes{};  // that it does not end where it began
};
/// Throws InputError, with the line of the segment, for one that the robot cannot do, for positions beyond the limits
/// of its joints, for closed loops, and for more than a million rows.
/// Throws Interrupted where it is not to go on.
CycleMotion run_cycle(const Graph& robot, const Cycle& cycle, const KeepGoing& keep_going = {});

}  // namespace ulna::sizing
