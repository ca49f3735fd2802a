// Paths of a frame in space, followed by inverse kinematics without a jump from one posture to another.
#pragma once

#include <optional>
#include <string>

#include "ulna/kinematics/inverse_kinematics.hpp"
#include "ulna/plan/path.hpp"

namespace ulna {

struct TipPathOptions {
  int samples = 200;       // of each leg: between them the joints follow a spline
  double most_step = 0.3;  // radians or metres that a joint may go from one to the next: more is a jump
};

/// A path of the joints, or where and why it ends.
struct TipPath {
  std::optional<Path> path;
  int leg = 0;         // where it ends: from waypoint leg to the next, counted from 0,
  double share = 0.0;  // and how much of that is done
  std::string reason{};
};

/// Straight in space from each pose to the next, the orientation by the shortest turn at a constant rate; at the poses
/// between the motion rests. It begins at `start` if that is given and reaches the first pose, else at a posture that
/// is found. Throws InputError for fewer than two poses, and for two in a row that are the same; else as
/// InverseKinematics does.
TipPath straight_tip_path(const Model& model, const Frame& frame, std::span<const Pose<double>> poses,
                          VectorIn<double> start = {}, const TipPathOptions& options = {});

}  // namespace ulna
