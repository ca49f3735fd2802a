// All angles of six hinges that bring a frame to a pose, in closed form where the axes allow it: three that follow each
// other meet in a point (Pieper 1968) or are parallel. By subproblems after Paden and Kahan; Elias and Wen,
// "IK-Geo: unified robot inverse kinematics using subproblem decomposition", Mechanism and Machine Theory 2025.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "ulna/kinematics/kinematics.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

class ClosedFormIk {
 public:
  using Angles = std::array<double, 6>;

  /// For the frame of this arm, or nothing where there is no closed form: other joints than six hinges, or axes that
  /// are in no such order.
  static std::optional<ClosedFormIk> of(const Model& model, const Frame& frame);

  /// Candidates: rounding is left in them, and one stands for those that differ by whole turns. Beside a singular
  /// posture some may not lead to the pose; a caller tells by fk.
  std::vector<Angles> solve(const Pose<double>& pose) const;

  struct Axis {
    Vec3<double> direction, point;
  };
  using Axes = std::array<Axis, 6>;
  enum class Shape {
    wrist_parallel,      // the last three meet, the second is parallel to the third
    wrist_intersecting,  // the last three meet, the first meets the second
    wrist_first_two,     // the last three meet, the first is parallel to the second
    three_parallel,      // the second, third and fourth are parallel, the fifth meets the sixth
  };

 private:
  ClosedFormIk(Axes axes, Shape shape, bool reversed, const Pose<double>& home, const Vec3<double>& centre,
               const Vec3<double>& shoulder)
      : axes_(axes), shape_(shape), reversed_(reversed), home_(home), centre_(centre), shoulder_(shoulder) {}

  Axes axes_;
  Shape shape_;
  bool reversed_;          // axes_ are from the tip to the base
  Pose<double> home_;      // of the frame at zero angles
  Vec3<double> centre_;    // where the wrist's axes, or the fifth and the sixth, meet
  Vec3<double> shoulder_;  // where the first and the second meet
};

}  // namespace ulna
#pragma GCC visibility pop
