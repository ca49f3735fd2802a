#include "ulna/select/arm.hpp"

#include <fmt/format.h>

#include <Eigen/SVD>
#include <cmath>
#include <numbers>

#include "ulna/kinematics/kinematics.hpp"
#include "ulna/select/even_fill.hpp"

namespace ulna::selection {

namespace {

constexpr double full_turn = 2.0 * std::numbers::pi;

void refuse_what_is_no_arm(const std::string& name, const Model& model) {
  if (model.has_free_base()) throw InputError(fmt::format("'{}' floats; select compares arms on a fixed base", name));
  if (!model.is_serial()) throw InputError(fmt::format("'{}' has branches; select compares serial arms", name));
  for (const JointInfo& joint : model.joints()) {
    if (with_joint(joint.kind, [](auto kind) { return kind.nv; }) != 1) {
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
  if (joint.kind == JointKind::revolute) {
    if (std::isfinite(range.low)) return {range.low, range.low + full_turn, Origin::full_turn};
    if (std::isfinite(range.high)) return {range.high - full_turn, range.high, Origin::full_turn};
    return {-std::numbers::pi, std::numbers::pi, Origin::full_turn};
  }
  if (choice.slide && joint.kind == JointKind::prismatic) {
    const JointRange task{std::max(range.low, choice.slide->first), std::min(range.high, choice.slide->second),
                          Origin::task};
    if (task.low < task.high) return task;
  }
  throw InputError(
      fmt::format("'{}': '{}' has no limits, so its workspace has no end; give limits in the file, or "
                  "--range {}=0..1",
                  name, joint.name, joint.name));
}

/// Velocities of the tip over the ranges, by each joint at each sample, and the most directions that one pose has.
struct TipVelocities {
  Eigen::Matrix3Xd all;
  int most = 0;
};

TipVelocities tip_velocities(const Arm& arm) {
  constexpr std::size_t samples = 64;
  const auto n = static_cast<std::size_t>(arm.model.nv());
  Kinematics<double> kinematics(arm.model);
  std::vector<double> parts(n), J(6 * n);
  TipVelocities velocities{Eigen::Matrix3Xd(3, static_cast<Eigen::Index>(samples * n))};
  const EvenFill fill(n);
  for (std::size_t k = 0; k < samples; ++k) {
    fill.point(k, parts);
    kinematics.update_positions(arm.position(parts));
    const MatrixView<double> view{J.data(), 6, arm.model.nv()};
    kinematics.jacobian(arm.model.tip(), Reference::world_axes, view);
    Eigen::MatrixXd lower = Eigen::Map<Eigen::MatrixXd>(J.data(), 6, arm.model.nv()).bottomRows<3>();
    for (std::size_t i = 0; i < n; ++i)  // a joint whose range is a point moves nothing
      if (arm.ranges[i].width() == 0.0) lower.col(static_cast<Eigen::Index>(i)).setZero();
    velocities.all.middleCols(static_cast<Eigen::Index>(k * n), arm.model.nv()) = lower;
    const MatrixView<const double> moving{lower.data(), 3, arm.model.nv()};
    velocities.most = std::max(velocities.most, manipulability(moving).rank);
  }
  return velocities;
}

/// World axes as far as they lie in the plane, so that pictures look as people expect, and its normal.
Mat3<double> axes_of_plane(const Eigen::Vector3d& normal) {
  Eigen::Index across = 0;
  normal.cwiseAbs().maxCoeff(&across);
  const Eigen::Vector3d first = Eigen::Vector3d::Unit((across + 1) % 3),
                        second = Eigen::Vector3d::Unit((across + 2) % 3);
  const Eigen::Vector3d &x0 = across == 1 ? second : first, &y0 = across == 1 ? first : second;
  const Eigen::Vector3d x = (x0 - normal * normal.dot(x0)).normalized();
  const Eigen::Vector3d y = (y0 - normal * normal.dot(y0) - x * x.dot(y0)).normalized();
  return {x[0], x[1], x[2], y[0], y[1], y[2], normal[0], normal[1], normal[2]};
}

/// How many directions the tip moves in, over the ranges, and which.
void find_dimension(Arm& arm) {
  const TipVelocities velocities = tip_velocities(arm);
  const Eigen::JacobiSVD<Eigen::Matrix3Xd> svd(velocities.all, Eigen::ComputeThinU);
  constexpr double nothing = 1e-9;  // of the largest: right angles in files are exact, so this is round-off
  const Eigen::Vector3d s = svd.singularValues();
  arm.dimension = 0;
  for (const double value : s)
    if (value > nothing * s[0] && s[0] > 0.0) ++arm.dimension;
  if (arm.dimension < 2)
    throw InputError(fmt::format("'{}' moves its tip {}; select compares arms that fill a plane or the space", arm.name,
                                 arm.dimension == 0 ? "nowhere" : "along a line only"));
  if (velocities.most < arm.dimension) {
    throw InputError(fmt::format("'{}' moves its tip {} only; select compares arms that fill a plane or the space",
                                 arm.name, velocities.most == 1 ? "along a curve" : "on a surface"));
  }
  arm.axes = arm.dimension == 3 ? Mat3<double>::identity() : axes_of_plane(svd.matrixU().col(2));
}

}  // namespace

const char* name_of(JointRange::Origin origin) {
  switch (origin) {
    case JointRange::Origin::limits: return "limits of the file";
    case JointRange::Origin::full_turn: return "a full turn";
    case JointRange::Origin::task: return "what the task passes";
    case JointRange::Origin::given: return "--range";
  }
  return "";
}

std::vector<double> Arm::tip_jacobian(MatrixView<const double> full) const {
  std::vector<double> J;
  J.reserve(static_cast<std::size_t>(dimension * full.cols));
  for (int j = 0; j < full.cols; ++j) {
    const Vec3<double> v = axes * Vec3<double>{full(3, j), full(4, j), full(5, j)};
    J.push_back(v.x);
    J.push_back(v.y);
    if (dimension == 3) J.push_back(v.z);
  }
  return J;
}

std::vector<double> Arm::position(std::span<const double> parts) const {
  std::vector<double> q(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) q[i] = ranges[i].at(parts[i]);
  return q;
}

std::vector<double> Arm::middle() const { return position(std::vector<double>(ranges.size(), 0.5)); }

Arm make_arm(const std::string& name, const Graph& graph, const RangeChoice& choice) {
  Arm arm{name, graph, build(graph), {}, 0, Mat3<double>::identity()};
  refuse_what_is_no_arm(name, arm.model);
  for (const JointInfo& joint : arm.model.joints()) arm.ranges.push_back(range_of(name, joint, choice));
  find_dimension(arm);
  return arm;
}

}  // namespace ulna::selection
