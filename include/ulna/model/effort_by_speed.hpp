// What a motor gives at a speed: a line through the points of its data sheet. They hold where it drives, with the
// motion; against the motion it brakes with all that it has at rest. Beyond the last point the line falls on, down to
// nothing.
#pragma once

#include "ulna/model/graph.hpp"
#include "ulna/real/real.hpp"

namespace ulna {

/// A piece of the line: effort = at_rest − slope · speed, from this speed on.
struct EffortLine {
  double from, at_rest, slope;
};
inline EffortLine effort_line(const Limits& limits, std::size_t piece) {
  const EffortPoint &a = limits.effort_by_speed[piece], &b = limits.effort_by_speed[piece + 1];
  const double slope = (a.effort - b.effort) / (b.speed - a.speed);
  return {a.speed, a.effort + slope * a.speed, slope};
}
inline std::size_t effort_line_count(const Limits& limits) {
  return limits.effort_by_speed.empty() ? 0 : limits.effort_by_speed.size() - 1;
}

/// The piece that holds at a speed.
inline EffortLine effort_line_at(const Limits& limits, double speed) {
  std::size_t piece = 0;
  while (piece + 1 < effort_line_count(limits) && limits.effort_by_speed[piece + 1].speed <= speed) ++piece;
  return effort_line(limits, piece);
}

/// The largest effort in the direction in which something moves at this speed, or backwards where the speed is
/// negative.
template <Real T>
T effort_at(const Limits& limits, const T& speed) {
  T effort(limits.effort);
  for (std::size_t k = 0; k < effort_line_count(limits); ++k) {
    const EffortLine line = effort_line(limits, k);
    effort = select(speed < T(line.from), effort, T(line.at_rest) - T(line.slope) * speed);
  }
  effort = select(effort < T(0.0), T(0.0), effort);
  return select(T(limits.effort) < effort, T(limits.effort), effort);
}

/// What is left of an effort that is asked for at a velocity.
template <Real T>
T within_effort(const Limits& limits, const T& velocity, const T& effort) {
  const T forward = effort_at(limits, velocity), backward = -effort_at(limits, -velocity);
  return select(effort < backward, backward, select(forward < effort, forward, effort));
}

/// The same points with speeds and efforts in other units, or seen behind a gear.
inline void scale_effort_by_speed(Limits& limits, double speed, double effort) {
  for (EffortPoint& point : limits.effort_by_speed) point = {speed * point.speed, effort * point.effort};
}

}  // namespace ulna
