// What is asked of points by inverse kinematics: whether they are reached, with which orientations, with which load.
#pragma once

#include <memory>
#include <random>
#include <span>
#include <vector>

#include "ulna/batch/ik_batch.hpp"
#include "ulna/study/workspace/workspace.hpp"

#pragma GCC visibility push(hidden)
namespace ulna::reach {

using Positions = std::vector<std::vector<double>>;

/// Poses of one shape of target, many at a time.
class Poses {
 public:
  Poses(const Robot& robot, const IkTarget& shape, const Options& options, int starts, bool nearest, double tolerance);

  /// Which are reached; q receives the positions, and where it has as many as poses, they are tried first.
  const std::vector<IkResult>& solve(std::span<const Pose<double>> poses, Positions& q);

 private:
  const Robot& robot_;
  KeepGoing keep_going_;
  IkBatch batch_;
  std::vector<double> poses_, q_, starts_;
  std::vector<IkResult> results_;
};

/// The orientations that stand for all: rotations, or directions of an axis where turns about it are free. The first
/// `coarse` of them are as even, and half as dense along each angle.
struct Orientations {
  IkTarget shape{};
  std::vector<Mat3<double>> list{};
  std::size_t coarse = 0;
};
Orientations every_orientation(const Robot& robot);
/// Directions of the frame's axis, or angles in a plane: each stands for an equal share.
Orientations service_directions(const Robot& robot);

/// Which points are reached with all orientations.
class EveryOrientation {
 public:
  EveryOrientation(const Robot& robot, Orientations orientations, const Options& options, double tolerance);
  std::vector<char> ask(std::span<const Vec3<double>> points);
  /// Of points that are reached with all orientations how many are with random ones too, and how many were refused only
  /// after half of these.
  struct Left {
    std::size_t points = 0, late = 0;
  };
  Left ask_others(std::span<const Vec3<double>> points);
  /// Takes all of them from now on, or the coarse ones.
  void take(std::size_t count) { count_ = count; }
  const Orientations& orientations() const { return orientations_; }

 private:
  void sift(std::span<const Vec3<double>> points, std::vector<std::size_t>& alive, std::size_t orientation);
  Mat3<double> random_orientation();
  /// Those of the points that are reached, each with an orientation of its own. A search that fails is no proof: what
  /// it refuses is asked again from elsewhere.
  std::vector<std::size_t> reached(std::span<const Pose<double>> poses);

  std::optional<Vec3<double>> normal_;  // of a planar arm's plane
  Orientations orientations_;
  std::size_t count_;
  Poses positions_, poses_, again_;
  const Model& model_;
  std::mt19937_64 generator_{1};
  std::vector<std::size_t> refusals_;  // how many points each orientation has refused
};

/// The share of orientations with which each point is reached.
std::vector<double> shares(const Robot& robot, const Orientations& orientations, const Options& options,
                           double tolerance, std::span<const Vec3<double>> points);

bool has_effort_limits(const Robot& robot);
/// The largest mass at the frame that the limits of effort hold at rest, kg: of several postures at each point the
/// best. `q` has a posture of each.
std::vector<double> payloads(const Robot& robot, const Options& options, double tolerance,
                             std::span<const Vec3<double>> points, const Positions& q);

}  // namespace ulna::reach
#pragma GCC visibility pop
