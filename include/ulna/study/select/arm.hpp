// An arm among others to choose from: a serial robot, the ranges of its joints, and the space that its
// tip moves in.
#pragma once

#include <map>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "ulna/kinematics/tip_task.hpp"
#include "ulna/model/build.hpp"
#include "ulna/study/interrupted.hpp"

namespace ulna::selection {

inline constexpr double whole_turn = 2.0 * std::numbers::pi;

struct JointRange {
  double low, high;
  enum class Origin { limits, full_turn, task, given } origin;

  double width() const { return high - low; }
  bool is_full_turn() const { return width() >= whole_turn * (1.0 - 1e-12); }
  double at(double part) const { return low + part * (high - low); }
};

/// "limits of the file", "a full turn", …
const char* name_of(JointRange::Origin origin);

struct Arm {
  std::string name;
  Graph graph;
  Model model;
  std::vector<JointRange> ranges;   // one per joint
  TipTask task;                     // what the tip can do within them; its position is what arms are compared by
  std::vector<double> stiffness{};  // between each motor and its link, N·m/rad or N/m; infinite where none is known

  /// Of the space that the tip moves in, 2 or 3, and its axes: the first `dimension()` rows span it.
  int dimension() const { return task.position.dimension; }
  const Mat3<double>& axes() const { return task.position.axes; }
  /// All positions, each at a part (0 … 1) of its joint's range.
  std::vector<double> position(std::span<const double> parts) const;
  std::vector<double> middle() const;
};

/// Ranges that are not the file's: by joint name, and what the task passes through for sliding
/// joints without limits.
struct RangeChoice {
  std::map<std::string, std::pair<double, double>> given;
  std::optional<std::pair<double, double>> slide;
};

/// Stiffness of joints between motor and link, beside that of the file's elastic joints: by joint name, and of all
/// others.
struct StiffnessChoice {
  std::map<std::string, double> given{};
  std::optional<double> others{};
};

/// Throws InputError for what is no serial arm on a fixed base with joints of one degree of freedom, for
/// a range that is empty or unknown, and for a tip that does not fill a plane or the space. Elastic joints are rigid
/// in the arm, which knows their stiffness.
Arm make_arm(const std::string& name, const Graph& graph, const RangeChoice& choice,
             const StiffnessChoice& stiffness = {});

}  // namespace ulna::selection
