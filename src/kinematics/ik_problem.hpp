// What the searches of inverse kinematics share: the targets as rows of numbers, and a table of starts.
#pragma once

#include <array>
#include <vector>

#include "ulna/kinematics/inverse_kinematics.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

/// How the orientation of a target becomes rows.
enum class TurnRows {
  none,
  all,        // the same weight about all axes: in world axes
  direction,  // free about z, the same weight about x and y: by the shortest turn of z
  parts,      // in the target's own axes
};

/// A target of an IkProblem. A row is a scale times an error: metres over a length of the robot, or radians.
struct IkRows {
  Frame frame;
  std::array<double, 3> position_scale, turn_scale;  // 0: free
  TurnRows turn_rows;
  int count;  // of rows
};

/// Postures all over the ranges, with what is needed to find those near a target.
class IkStarts {
 public:
  static constexpr std::size_t strata = 16, count = 512;
  /// The first starts of a target: the best of each part of the table, best first.
  using Order = std::array<std::size_t, strata>;

  IkStarts(const Model& model, std::span<const IkRows> rows);

  Order best(std::span<const Pose<double>> poses) const;
  /// Start k of a search.
  std::size_t index(const Order& order, std::size_t k) const { return k < strata ? order[k] : (k * 197) % count; }
  const double* position(std::size_t index) const { return &positions_[index * nq_]; }

 private:
  void add_features(const Pose<double>& pose, const IkRows& rows, std::size_t sample, std::size_t first);

  std::size_t nq_, features_;
  std::vector<IkRows> rows_;
  std::vector<double> positions_;
  // By feature, then by sample: a sum of products with a target's features is how far the two are apart.
  std::vector<float> table_, constant_;
};

struct IkProblem {
  IkProblem(const Model& model, std::vector<IkTarget> targets, const IkOptions& options);

  /// Throws std::invalid_argument.
  void expect_poses(std::span<const Pose<double>> poses) const;
  void expect_start(VectorIn<double> start) const;
  /// Whether as many poses as there are targets are finite, with rotations where these count.
  bool are_poses(std::span<const Pose<double>> poses) const;
  /// Whether a start of the right size is finite, with quaternions of unit length.
  bool is_position(std::span<const double> start) const;

  const Model& model;
  std::vector<IkTarget> targets;
  IkOptions options;
  double length;  // of the robot: what a metre is measured by where it stands beside radians
  std::vector<IkRows> rows;
  int row_count = 0;
  std::vector<double> lower, upper;  // by velocity index; infinite where there is no limit
  IkStarts starts;
};

}  // namespace ulna
#pragma GCC visibility pop
