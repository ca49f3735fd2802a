#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "ulna/model/expect_tree.hpp"
#include "ulna/model/limits.hpp"
#include "ulna/model/random_state.hpp"
#include "ulna/study/workspace/workspace.hpp"

namespace ulna::reach {

namespace {

constexpr double whole_turn = 2.0 * std::numbers::pi;

/// Narrower limits where ranges are given; none for a hinge that makes a full turn, so that nothing stops there.
Graph with_ranges(Graph graph, const Options& options) {
  for (const auto& [name, range] : options.ranges) {
    GraphJoint* joint = find_joint(graph, name);
    if (joint == nullptr) throw InputError(fmt::format("there is no joint '{}' to give a range to", name));
    if (std::isnan(range.first) || std::isnan(range.second))
      throw InputError(fmt::format("the range given for '{}' must be from a number to a number", name));
    if (range.first > range.second) {
      throw InputError(
          fmt::format("the range given for '{}' is reversed: from {:g} to {:g}; give the smaller end first", name,
                      range.first, range.second));
    }
    joint->limits.lower = std::max(joint->limits.lower, range.first);
    joint->limits.upper = std::min(joint->limits.upper, range.second);
    if (!(joint->limits.lower <= joint->limits.upper))
      throw InputError(fmt::format("the range given for '{}' and its limits exclude each other", name));
  }
  for (GraphJoint& joint : graph.joints) {
    if (!is_hinge(joint.kind) || !(joint.limits.upper - joint.limits.lower >= whole_turn * (1.0 - 1e-12))) continue;
    joint.limits.lower = -std::numeric_limits<double>::infinity();
    joint.limits.upper = std::numeric_limits<double>::infinity();
  }
  return graph;
}

/// The bodies from the ground to the frame's.
std::vector<int> chain_of(const Model& model, const Frame& frame) {
  std::vector<int> chain;
  for (int b = frame.body; b >= 0; b = model.bodies()[static_cast<std::size_t>(b)].parent)
    chain.insert(chain.begin(), b);
  return chain;
}

void expect_bounds(const Model& model, const std::vector<int>& chain) {
  for (const JointInfo& joint : model.joints()) {
    if (std::find(chain.begin(), chain.end(), joint.body) == chain.end()) continue;
    bool bounded = true;
    for (const JointNumber& number : position_numbers(joint.kind))
      if (number.is_length)
        bounded = has_one_degree(joint.kind) && std::isfinite(joint.limits.lower) && std::isfinite(joint.limits.upper);
    if (has_pitch(joint.kind)) bounded = std::isfinite(joint.limits.lower) && std::isfinite(joint.limits.upper);
    if (!bounded) {
      throw InputError(
          fmt::format("'{}' has no limits, so the workspace has no end; give limits in the file, or the range {}=0..1",
                      joint.name, joint.name));
    }
  }
}

void expect_space(const TipTask& task, const std::string& frame) {
  const TipTask::Space& moves = task.position;
  if (moves.dimension >= 2 && moves.rank == moves.dimension) return;
  const char* where = moves.rank == 0        ? "nowhere"
                      : moves.dimension == 1 ? "along a line only"
                      : moves.rank == 1      ? "along a curve only"
                                             : "on a surface only";
  throw InputError(fmt::format("'{}' moves {}; a workspace fills a plane or the space", frame, where));
}

}  // namespace

Robot make_robot(const Graph& graph, const Options& options) {
  if (!(options.accuracy > 0.0))
    throw InputError(fmt::format("the accuracy must be above 0, as 0.01 is; it is {:g}", options.accuracy));
  Robot robot{.model = build(with_ranges(graph, options))};
  const Model& model = robot.model;
  expect_tree(model);
  if (model.has_free_base()) throw InputError("the robot floats: its tip reaches every point");
  if (const Frame* frame = options.frame.empty() ? &model.tip() : model.find_frame(options.frame))
    robot.frame = *frame;
  else
    throw InputError(fmt::format("there is no link or frame '{}'", options.frame));
  const std::vector<int> chain = chain_of(model, robot.frame);
  expect_bounds(model, chain);
  robot.task = tip_task(model, robot.frame);
  expect_space(robot.task, robot.frame.name);
  for (const JointInfo& joint : model.joints()) {
    if (is_locked(joint) || std::find(chain.begin(), chain.end(), joint.body) == chain.end()) continue;
    robot.moving += static_cast<int>(rate_numbers(joint.kind).size());
    if (robot.first < 0 || joint.body < robot.first) robot.first = joint.body;
  }
  const Body& first = model.bodies()[static_cast<std::size_t>(robot.first)];
  Kinematics<double> kinematics(model);
  std::mt19937_64 generator(1);
  kinematics.update_positions(random_position(model, generator));
  const Pose<double> pose = kinematics.pose({"", robot.first, Pose<double>::identity()});
  robot.origin = pose.p;
  robot.axis = pose.R.column_z();
  const JointInfo& joint = model.joint_of(first.v_index);
  robot.revolved = robot.dimension() == 3 && is_hinge(first.kind) && !first.shares && joint.body == robot.first &&
                   !std::isfinite(joint.limits.lower) && !std::isfinite(joint.limits.upper);
  if (!is_hinge(first.kind)) robot.origin = Vec3<double>::zero();
  return robot;
}

}  // namespace ulna::reach
