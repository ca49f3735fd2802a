// Inverse kinematics: positions of the joints at which frames of a robot stand where they are wanted, within the
// limits.
//
// Damped least squares from many starts at once (Levenberg 1944, Marquardt 1963; the damping falls with the error, as
// in Chan and Lawrence 1988), in the lanes of a pack. A start is the best of a part of a table of postures that is made
// once for a robot. Joints that stand at a limit and press against it are left out of a step.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ulna/kinematics/kinematics.hpp"

namespace ulna {

/// Where a frame is to stand, and which parts of that count. A weight of zero sets a part free; the others must all be
/// met, and say what comes first where they cannot be.
struct IkTarget {
  Frame frame{};
  Pose<double> pose = Pose<double>::identity();
  Vec3<double> position{1.0, 1.0, 1.0};     // along the axes of the world
  Vec3<double> orientation{1.0, 1.0, 1.0};  // about the axes of the target
};
IkTarget pose_target(const Frame& frame, const Pose<double>& pose);
IkTarget position_target(const Frame& frame, const Vec3<double>& position);
IkTarget orientation_target(const Frame& frame, const Mat3<double>& orientation);
/// An axis of the frame is to point along a direction of the world, at a position or anywhere. Neither is zero.
IkTarget direction_target(const Frame& frame, const Vec3<double>& axis, const Vec3<double>& direction);
IkTarget direction_target(const Frame& frame, const Vec3<double>& axis, const Vec3<double>& direction,
                          const Vec3<double>& position);

/// Which of the positions that reach a target is wanted.
enum class IkPreference {
  any,             // the first that is found
  near,            // little motion from the start, by the sum of squares
  middle,          // far from the limits: little way from the middle of the ranges, in parts of them
  manipulability,  // far from singular postures
  gravity,         // little torque against gravity, by the sum of squares
};

struct IkOptions {
  double position_tolerance = 1e-6;     // m
  double orientation_tolerance = 1e-6;  // rad
  int starts = 272;                     // tried before a target is called out of reach
  bool nearest = true;                  // of one that is, lead q to the nearest; a batch is quicker without
};

/// How a search ended.
struct IkResult {
  bool solved = false;
  double position_error = 0.0, orientation_error = 0.0;  // m and rad, the largest of the targets' parts that count
  int starts = 0;                                        // begun
};

/// Finds positions for targets of one shape: the same frames and weights, other poses. One per thread; nothing is
/// allocated after it is made, but by all(). The model must stay alive and unchanged.
class InverseKinematics {
 public:
  /// Throws InputError for a robot with closed loops, without targets, for weights that are negative or all zero and
  /// tolerances that are not positive; std::invalid_argument for a frame of another model.
  InverseKinematics(const Model& model, std::vector<IkTarget> targets, const IkOptions& options = {});
  InverseKinematics(Model&&, std::vector<IkTarget>, const IkOptions& = {}) = delete;
  InverseKinematics(InverseKinematics&&) noexcept;
  InverseKinematics& operator=(InverseKinematics&&) noexcept;
  ~InverseKinematics();

  /// A position at which the frames stand at the poses, one for each target; else the nearest that was found. `start`
  /// is tried first, and may be empty. The same call gives the same position. Poses must be finite, with rotations
  /// where the orientation counts, and start a position of this model, std::invalid_argument otherwise.
  IkResult solve(std::span<const Pose<double>> poses, VectorIn<double> start, VectorOut<double> q);
  /// Of several that are found the one that is preferred, moved along the motions that leave the frames in place until
  /// it gets no better.
  IkResult solve(std::span<const Pose<double>> poses, VectorIn<double> start, IkPreference preference,
                 VectorOut<double> q);

  /// All postures of an arm without spare motions: in closed form where it can be had, else by search, 64 at most. Of
  /// an arm with one spare motion `samples` of each family of postures that this leads through, in order. Of others
  /// `samples` that a search finds. Sorted by the first joint, the second, …; each within the limits.
  struct Postures {
    std::vector<std::vector<double>> q;
    std::vector<int> family;  // of each: postures of one family lead into each other without leaving the target
    bool closed_form = false;
    int spare = 0;     // motions that leave the targets in place, at most postures
    bool cut = false;  // there are more than are listed here
  };
  Postures all(std::span<const Pose<double>> poses, int samples = 24);

  /// Why a target was not reached, for the position that solve() left in q: "the limits of the joints …" or "the
  /// lengths of the links …".
  std::string reason(std::span<const Pose<double>> poses, VectorIn<double> q);

  const Model& model() const;
  std::span<const IkTarget> targets() const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

/// For one call: the targets' own poses.
struct IkSolution : IkResult {
  std::vector<double> q;
  std::string reason;  // where it is not solved
};
IkSolution solve_ik(const Model& model, const std::vector<IkTarget>& targets, VectorIn<double> start = {},
                    IkPreference preference = IkPreference::any, const IkOptions& options = {});

}  // namespace ulna
