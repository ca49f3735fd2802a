#include "ulna/study/select/arm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "even_fill.hpp"
#include "ulna/model/elastic_joint.hpp"

namespace ulna::selection {

namespace {

void refuse_what_is_no_arm(const std::string& name, const Model& model) {
  expect_tree(model);
  if (model.has_free_base()) throw InputError(fmt::format("'{}' floats; select compares arms on a fixed base", name));
  if (!model.is_serial()) throw InputError(fmt::format("'{}' has branches; select compares serial arms", name));
  for (const JointInfo& joint : model.joints()) {
    if (!has_one_degree(joint.kind)) {
      throw InputError(fmt::format("'{}': joint '{}' is {}; select takes joints of one degree of freedom", name,
                                   joint.name, ulna::name_of(joint.kind)));
    }
  }
  if (model.tip().body + 1 != model.body_count())
    throw InputError(fmt::format("'{}': its tip '{}' is not on the last link", name, model.tip().name));
}

JointRange range_of(const std::string& name, const JointInfo& joint, const RangeChoice& choice) {
  using Origin = JointRange::Origin;
  JointRange range{joint.limits.lower, joint.limits.upper, Origin::limits};
  if (const auto given = choice.given.find(joint.name); given != choice.given.end()) {
    range = {std::max(range.low, given->second.first), std::min(range.high, given->second.second), Origin::given};
    if (!(range.low <= range.high)) {
      throw InputError(
          fmt::format("'{}': the range given for '{}' and its limits {:g} … {:g} exclude each other: the "
                      "workspace is empty",
                      name, joint.name, joint.limits.lower, joint.limits.upper));
    }
  }
  if (!(range.low <= range.high))
    throw InputError(
        fmt::format("'{}': the limits of '{}' exclude everything: the workspace is empty", name, joint.name));
  if (std::isfinite(range.low) && std::isfinite(range.high)) return range;
  if (is_hinge(joint.kind)) {
    if (std::isfinite(range.low)) return {range.low, range.low + whole_turn, Origin::full_turn};
    if (std::isfinite(range.high)) return {range.high - whole_turn, range.high, Origin::full_turn};
    return {-std::numbers::pi, std::numbers::pi, Origin::full_turn};
  }
  if (choice.slide && slides(joint.kind)) {
    const JointRange task{std::max(range.low, choice.slide->first), std::min(range.high, choice.slide->second),
                          Origin::task};
    if (task.low < task.high) return task;
  }
  throw InputError(
      fmt::format("'{}': '{}' has no limits, so its workspace has no end; give limits in the file, or "
                  "the range {}=0..1",
                  name, joint.name, joint.name));
}

double stiffness_of(const std::string& joint, const std::map<std::string, Elasticity>& in_file,
                    const StiffnessChoice& choice) {
  if (const auto given = choice.given.find(joint); given != choice.given.end()) return given->second;
  if (const auto elastic = in_file.find(joint); elastic != in_file.end()) return elastic->second.stiffness;
  return choice.others.value_or(std::numeric_limits<double>::infinity());
}

/// The tip's Jacobians over the ranges; a joint whose range is a point moves nothing.
std::vector<std::vector<double>> sampled_jacobians(const Arm& arm) {
  const auto n = static_cast<std::size_t>(arm.model.nv());
  Kinematics<double> kinematics(arm.model);
  std::vector<std::vector<double>> jacobians(64, std::vector<double>(6 * n));
  std::vector<double> parts(n);
  const EvenFill fill(n);
  for (std::size_t k = 0; k < jacobians.size(); ++k) {
    fill.point(k, parts);
    kinematics.update_positions(arm.position(parts));
    kinematics.jacobian(arm.model.tip(), Reference::world_axes, {jacobians[k].data(), 6, arm.model.nv()});
    for (std::size_t i = 0; i < n; ++i)
      if (arm.ranges[i].width() == 0.0) std::fill_n(&jacobians[k][6 * i], 6, 0.0);
  }
  return jacobians;
}

void refuse_what_fills_no_space(const Arm& arm) {
  const TipTask::Space& moves = arm.task.position;
  if (moves.dimension < 2)
    throw InputError(fmt::format("'{}' moves its tip {}; select compares arms that fill a plane or the space", arm.name,
                                 moves.dimension == 0 ? "nowhere" : "along a line only"));
  if (moves.rank < moves.dimension) {
    throw InputError(fmt::format("'{}' moves its tip {} only; select compares arms that fill a plane or the space",
                                 arm.name, moves.rank == 1 ? "along a curve" : "on a surface"));
  }
}

}  // namespace

const char* name_of(JointRange::Origin origin) {
  switch (origin) {
    case JointRange::Origin::limits: return "limits of the file";
    case JointRange::Origin::full_turn: return "a full turn";
    case JointRange::Origin::task: return "what the task passes";
    case JointRange::Origin::given: return "given";
  }
  return "";
}

std::vector<double> Arm::position(std::span<const double> parts) const {
  std::vector<double> q(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) q[i] = ranges[i].at(parts[i]);
  return q;
}

std::vector<double> Arm::middle() const { return position(std::vector<double>(ranges.size(), 0.5)); }

Arm make_arm(const std::string& name, const Graph& graph, const RangeChoice& choice, const StiffnessChoice& stiffness) {
  const RigidRobot rigid = with_rigid_joints(graph);
  Arm arm{name, rigid.graph, build(rigid.graph), {}, {}};
  refuse_what_is_no_arm(name, arm.model);
  for (const JointInfo& joint : arm.model.joints()) {
    arm.ranges.push_back(range_of(name, joint, choice));
    arm.stiffness.push_back(stiffness_of(joint.name, rigid.elasticity, stiffness));
  }
  arm.task = tip_task(sampled_jacobians(arm));
  refuse_what_fills_no_space(arm);
  return arm;
}

}  // namespace ulna::selection
