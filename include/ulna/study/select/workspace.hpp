// The workspace of an arm: all points that its tip can reach, as area or volume, with its holes.
//
// The set is built from the tip inwards: what joint i reaches is what joint i+1 reaches, moved through
// joint i's range. That takes steps in one joint at a time, so that seven joints cost no more than a few
// times two. The first joint is not stepped: in cylinder coordinates about a first axis that turns, or
// along one that slides, its sweep is a dilation, which is done exactly. What is left to cells is one
// coordinate less than the space has.
//
// Every point of the sample is one the arm reaches. A cell is inside for certain where its neighbours
// reach the same stretch of the sweep too, and outside where no point was found in it; the size is the
// middle of these two and the error half their distance, plus what thinning out the sample may have lost
// at the boundary. Holes narrower than three cells are not seen.
#pragma once

#include "ulna/study/select/arm.hpp"

namespace ulna::selection {

struct WorkspaceSize {
  double size = 0.0, error = 0.0;  // m² or m³: within ± error
  int holes = 0;
  double hole_size = 0.0;
  double cell = 0.0;  // edge of the cells, m
};

struct WorkspaceOptions {
  // Cells are as small as these allow.
  std::size_t budget = 40'000'000;  // points moved through a joint
  std::size_t bins = 20'000'000;    // cells times bins of the first joint's sweep
  bool holes = true;                // count them

  /// A part of the usual numbers, and no holes.
  static WorkspaceOptions with_effort(double effort) {
    const auto part = [&](std::size_t usual) { return static_cast<std::size_t>(static_cast<double>(usual) * effort); };
    return {part(WorkspaceOptions{}.budget), part(WorkspaceOptions{}.bins), false};
  }
};

/// Throws InputError for an arm that begins with a screw joint.
WorkspaceSize find_workspace(const Arm& arm, const WorkspaceOptions& options, const KeepGoing& keep_going);

}  // namespace ulna::selection
