// Paths of a frame in space, followed by inverse kinematics without a jump from one posture to another.
#pragma once

#include <optional>
#include <string>

#include "ulna/kinematics/inverse_kinematics.hpp"
#include "ulna/plan/path.hpp"
#include "ulna/plan/tip_curve.hpp"

namespace ulna {

/// What of the curve's poses the frame keeps.
enum class TipHold {
  pose,
  direction,  // position, and where the frame's z axis points: it may turn about that
  position,   // it may turn as it likes
};

struct TipPathOptions {
  TipHold hold = TipHold::pose;
  int samples = 200;       // of each piece of the curve: between them the joints follow a spline
  double most_step = 0.3;  // radians or metres that a joint may go from one to the next: more is a jump
};

/// A path of the joints, or where and why it ends.
struct TipPath {
  std::optional<Path> path;
  int leg = 0;         // where it ends: the move of the curve, counted from 0,
  double share = 0.0;  // and how much of that is done
  std::string reason{};
};

/// The joints that lead the frame along the curve; they rest where that does. It begins at `start` if that is given and
/// reaches the first pose, else at a posture that is found. Throws InputError as InverseKinematics does.
TipPath tip_path(const Model& model, const Frame& frame, const TipCurve& curve, VectorIn<double> start = {},
                 const TipPathOptions& options = {});
/// Straight from each pose to the next, with a rest at each. Throws InputError for fewer than two poses.
TipPath straight_tip_path(const Model& model, const Frame& frame, std::span<const Pose<double>> poses,
                          VectorIn<double> start = {}, const TipPathOptions& options = {});

}  // namespace ulna
