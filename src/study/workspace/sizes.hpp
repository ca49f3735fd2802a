// The region that a robot's frame reaches, kept for what else is asked of it.
#pragma once

#include "region.hpp"

#pragma GCC visibility push(hidden)
namespace ulna::reach {

/// Distances below this part of the workspace's width are none.
inline constexpr double tolerance_part = 1e-5;

class Reached {
 public:
  Reached(const Robot& robot, const Options& options);

  Volume volume() const;
  Dexterity dexterity() const;

  const Robot& robot;
  Options options;
  Chart chart;
  LatticeBox box{};
  double tolerance = 0.0;
  std::unique_ptr<Region> region;

 private:
  /// Along the longest side of a lattice whose points show the workspace; no finer than its own.
  int cells_that_see_it(int least) const;
  /// What a lattice without samples misses of the workspace.
  double unseen_by(const RegionOptions& lattice) const;
};

}  // namespace ulna::reach
#pragma GCC visibility pop
