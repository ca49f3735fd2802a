// A chain cut into segments, and the segments sorted into groups of four that share the lanes of packs:
// the constants of the parallel articulated-body path.
#pragma once

#include <array>
#include <vector>

#include "ulna/dynamics/articulated_body/chain_step.hpp"
#include "ulna/model/model.hpp"
#include "ulna/real/pack.hpp"

#pragma GCC visibility push(hidden)
namespace ulna::articulated_body {

inline constexpr std::size_t lanes = 4;
using FourLanes = Pack<double, static_cast<int>(lanes)>;

/// Bodies first … last−1; the body before the first is its handle.
struct ChainPiece {
  std::size_t first, last;
  std::size_t length() const { return last - first; }
};

/// Depends on the model alone, so that results do not depend on the threads.
std::vector<ChainPiece> cut(const Model& model);

/// Up to four neighbouring segments that share the lanes of packs: equally long, and their joints have the
/// same numbers of degrees.
using LaneGroup = std::vector<ChainPiece>;
std::vector<LaneGroup> share_lanes(const Model& model);

/// Of all lanes, the part that holds a segment.
double lanes_used(const std::vector<LaneGroup>& groups);

/// One of them in the model. Lanes without a segment of their own repeat the last one's.
struct ChainGroup {
  std::size_t first_segment, used;            // lanes 0 … used−1: segments from the first on
  std::size_t first_step, steps;              // in ChainGroups' lists by step
  std::size_t first_velocity, nv;             // in lists by velocity index
  std::array<std::size_t, lanes> body, q, v;  // where each lane begins in the model
  RigidInertia<FourLanes> handle;             // its share of the body before the segment
  std::size_t segment(std::size_t lane) const { return first_segment + (lane < used ? lane : used - 1); }
};

struct ChainGroups {
  explicit ChainGroups(const Model& model);

  std::vector<ChainGroup> groups;
  std::vector<StepKind> kind;  // by step, as the next two
  std::vector<StepPlacement<FourLanes>> placement;
  std::vector<RigidInertia<FourLanes>> inertia;
  std::vector<FourLanes> armature;        // by velocity index
  std::vector<Mat3<FourLanes>> rotation;  // of general steps

  std::size_t segment_count() const { return groups.back().first_segment + groups.back().used; }
  std::size_t bytes() const;

 private:
  void add_group(const Model& model, const LaneGroup& pieces);
  void add_step(const Model& model, const std::array<std::size_t, lanes>& bodies);
};

}  // namespace ulna::articulated_body
#pragma GCC visibility pop
