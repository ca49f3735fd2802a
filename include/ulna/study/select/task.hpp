// What an arm has to do, and what its drives must give for it. doc/select.md describes the file.
#pragma once

#include "ulna/base/number.hpp"
#include "ulna/simulate/reference_motion.hpp"
#include "ulna/study/select/arm.hpp"

namespace ulna::selection {

/// In joint space from one position to another, or in tip space along straight lines from point to point.
struct Task {
  std::string title = "cycloid of eq. (23), bhangale2004";
  PointToPoint::Profile profile = PointToPoint::Profile::cycloid;
  double time = 10.0, every = 0.01;
  double payload = 0.0;              // kg, a point mass at the tip
  JointNumbers from, to;             // one per joint, or one for all; from: zeros without it
  std::vector<Vec3<double>> points;  // of the tip, world axes; the time is shared evenly by the lines
  bool is_default = true;            // joints that cannot do it go through the middle half of their range instead
  Source source;

  bool in_tip_space() const { return !points.empty(); }
  /// What a joint without limits passes through, in joint space.
  std::optional<std::pair<double, double>> slide() const;
};

/// θ or b from 0 to π in 10 s, every 0.01 s: eq. (23).
Task default_task();
/// Throws InputError with the line.
Task load_task(const std::string& path);
Task parse_task(const std::string& text, const std::string& file);

struct JointLoad {
  double peak = 0.0, rms = 0.0;  // N·m or N
  double peak_power = 0.0;       // W, of |τ v|
  double energy = 0.0;           // J, ∫|τ v| dt: none is fed back
};

struct TaskLoads {
  std::vector<double> t;             // rising; twice where the acceleration jumps: before, and behind
  std::vector<double> q, v, a, tau;  // one row of n per time
  std::vector<JointLoad> joints;
  double power = 0.0, energy = 0.0;  // sums over the joints
  std::vector<std::string> notes;    // what the default task changed
  std::vector<std::string> broken;   // limits of the joints that the task passes, and requirements that are not met

  /// A time in the smooth part of the motion that row k belongs to.
  double inside(std::size_t k) const;
};

/// Throws InputError for a task that leaves the workspace or has the wrong number of joints.
TaskLoads run_task(const Arm& arm, const Task& task, const KeepGoing& keep_going);

}  // namespace ulna::selection
