// The region that a robot's frame reaches, kept for what else is asked of it.
#pragma once

#include <random>

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
  /// Points all over what is in of a lattice, as many in each part as it is large.
  std::vector<Vec3<double>> scattered(const Lattice& lattice, std::size_t count, std::mt19937_64& generator) const;
  /// Of the size of a lattice, whose points are reached with all orientations that are taken, the part that is reached
  /// with every one.
  Size part_of_all(EveryOrientation& asked, const Lattice& lattice, double size) const;
};

}  // namespace ulna::reach
#pragma GCC visibility pop
