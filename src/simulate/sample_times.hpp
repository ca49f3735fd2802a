// The times at which a run is sampled.
#pragma once

#pragma GCC visibility push(hidden)
namespace ulna {

struct SampleTimes {
  double every, duration;

  /// By multiplication, so that a thousand times 0.01 is 10.
  double at(long k) const { return static_cast<double>(k) * every; }
  /// Whether sample k lies within a run that has come to t.
  bool is_due(long k, double t) const { return at(k) <= t || (t == duration && at(k) <= t * (1.0 + 4e-16)); }
};

}  // namespace ulna
#pragma GCC visibility pop
