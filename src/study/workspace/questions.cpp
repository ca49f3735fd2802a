#include "questions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "ulna/dynamics/method.hpp"
#include "ulna/dynamics/quantity.hpp"
#include "ulna/model/random_state.hpp"
#include "ulna/spatial/rotation.hpp"

namespace ulna::reach {

namespace {

constexpr int few_starts = 16;    // where neighbours are asked too
constexpr int many_starts = 272;  // where one answer decides

IkBatchOptions batch_options(const Options& options, int starts, bool nearest, double tolerance) {
  IkBatchOptions batch;
  batch.position_tolerance = tolerance;
  batch.orientation_tolerance = 1e-4;
  batch.starts = starts;
  batch.nearest = nearest;
  batch.threads = options.threads;
  batch.proceed = options.keep_going;
  return batch;
}

Mat3<double> rotation_about(const Vec3<double>& axis, double angle) {
  const double s = std::sin(0.5 * angle);
  return rotation_of_quaternion(s * axis.x, s * axis.y, s * axis.z, std::cos(0.5 * angle));
}

Mat3<double> with_z(const Vec3<double>& z) { return direction_target({}, {0.0, 0.0, 1.0}, z).pose.R; }

/// Corners of an octahedron, then the middles of its edges, and so on: each round lies between the points so far.
std::vector<Vec3<double>> octahedral_directions(int rounds) {
  std::vector<Vec3<double>> list;
  for (int round = 0; round <= rounds; ++round) {
    const int n = 1 << round;
    for (int x = -n; x <= n; ++x) {
      for (int y = -n + std::abs(x); y <= n - std::abs(x); ++y) {
        const int z = n - std::abs(x) - std::abs(y);
        if (round > 0 && x % 2 == 0 && y % 2 == 0 && z % 2 == 0) continue;  // it is there already
        for (const int side : {1, -1}) {
          const Vec3<double> at{static_cast<double>(x), static_cast<double>(y), static_cast<double>(side * z)};
          list.push_back((1.0 / norm(at)) * at);
          if (z == 0) break;
        }
      }
    }
  }
  return list;
}

/// Evenly by a spiral (Vogel 1979): each stands for an equal share of the sphere.
std::vector<Vec3<double>> even_directions(int count) {
  std::vector<Vec3<double>> list;
  for (int k = 0; k < count; ++k) {
    const double z = 1.0 - (2.0 * k + 1.0) / count, angle = k * std::numbers::pi * (3.0 - std::sqrt(5.0));
    const double r = std::sqrt(1.0 - z * z);
    list.push_back({r * std::cos(angle), r * std::sin(angle), z});
  }
  return list;
}

/// The axis of the frame that the last joint turns it about, if that makes a full turn and leaves its origin in place.
std::optional<Vec3<double>> free_axis(const Robot& robot) {
  if (robot.frame.body < 0) return {};
  const Body& last = robot.model.bodies()[static_cast<std::size_t>(robot.frame.body)];
  const JointInfo& joint = robot.model.joint_of(last.v_index);
  const Vec3<double>& p = robot.frame.pose.p;
  const double length = norm(p);
  if (!is_hinge(last.kind) || last.shares || joint.body != robot.frame.body) return {};
  if (std::isfinite(joint.limits.lower) || std::isfinite(joint.limits.upper)) return {};
  if (std::hypot(p.x, p.y) > 1e-9 * length) return {};
  const Mat3<double>& R = robot.frame.pose.R;
  return Vec3<double>{R.zx, R.zy, R.zz};  // the body's z in the frame
}

/// Orientations of a planar arm's frame, even ones first.
Orientations planar_orientations(const Robot& robot) {
  constexpr int half = 36;
  Kinematics<double> kinematics(robot.model);
  std::mt19937_64 generator(1);
  kinematics.update_positions(random_position(robot.model, generator));
  const Mat3<double> R = kinematics.pose(robot.frame).R;
  const Vec3<double> normal = robot.task.position.axes.row_z();
  Orientations made{.shape = pose_target(robot.frame, Pose<double>::identity()), .coarse = half};
  for (const double shift : {0.0, 0.5})
    for (int k = 0; k < half; ++k)
      made.list.push_back(rotation_about(normal, 2.0 * std::numbers::pi * (k + shift) / half) * R);
  return made;
}

}  // namespace

Poses::Poses(const Robot& robot, const IkTarget& shape, const Options& options, int starts, bool nearest,
             double tolerance)
    : robot_(robot),
      keep_going_(options.keep_going),
      batch_(robot.model, {shape}, batch_options(options, starts, nearest, tolerance)) {}

const std::vector<IkResult>& Poses::solve(std::span<const Pose<double>> poses, Positions& q) {
  if (keep_going_ && !keep_going_()) throw Interrupted{};
  const auto n = poses.size(), nq = static_cast<std::size_t>(robot_.model.nq());
  const bool has_starts = n > 0 && q.size() == n;
  poses_.assign(16 * n, 0.0);
  q_.resize(nq * n);
  starts_.clear();
  results_.assign(n, {});
  for (std::size_t k = 0; k < n; ++k) {
    const Mat3<double>& R = poses[k].R;
    const std::array<double, 16> T{R.xx, R.yx, R.zx, 0, R.xy,         R.yy,         R.zy,         0,
                                   R.xz, R.yz, R.zz, 0, poses[k].p.x, poses[k].p.y, poses[k].p.z, 1};
    std::copy(T.begin(), T.end(), &poses_[16 * k]);
    if (has_starts) starts_.insert(starts_.end(), q[k].begin(), q[k].end());
  }
  const auto columns = static_cast<int>(n), rows = static_cast<int>(nq);
  if (has_starts)
    batch_.solve({poses_.data(), 16, columns}, {starts_.data(), rows, columns}, {q_.data(), rows, columns}, results_);
  else
    batch_.solve({poses_.data(), 16, columns}, {q_.data(), rows, columns}, results_);
  if (keep_going_ && !keep_going_()) throw Interrupted{};
  q.assign(n, {});
  for (std::size_t k = 0; k < n; ++k) q[k].assign(&q_[nq * k], &q_[nq * k] + nq);
  return results_;
}

Orientations every_orientation(const Robot& robot) {
  if (robot.dimension() == 2) return planar_orientations(robot);
  constexpr int rounds = 2, rolls = 12;
  const std::vector<Vec3<double>> directions = octahedral_directions(rounds), fewer = octahedral_directions(rounds - 1);
  Orientations made;
  if (const std::optional<Vec3<double>> axis = free_axis(robot)) {
    made.shape = direction_target(robot.frame, *axis, {0.0, 0.0, 1.0}, Vec3<double>::zero());
    for (const Vec3<double>& direction : directions) made.list.push_back(with_z(direction));
    made.coarse = fewer.size();
    return made;
  }
  made.shape = pose_target(robot.frame, Pose<double>::identity());
  const auto add = [&](const Vec3<double>& direction, int roll) {
    made.list.push_back(with_z(direction) *
                        rotation_about(Vec3<double>{0, 0, 1}, 2.0 * std::numbers::pi * roll / rolls));
  };
  for (const Vec3<double>& direction : fewer)
    for (int roll = 0; roll < rolls; roll += 2) add(direction, roll);
  made.coarse = made.list.size();
  for (std::size_t k = 0; k < directions.size(); ++k)
    for (int roll = 0; roll < rolls; ++roll)
      if (k >= fewer.size() || roll % 2 == 1) add(directions[k], roll);
  return made;
}

Orientations service_directions(const Robot& robot) {
  if (robot.dimension() == 2) return planar_orientations(robot);
  Orientations made{.shape = direction_target(robot.frame, free_axis(robot).value_or(Vec3<double>{0, 0, 1}), {0, 0, 1},
                                              Vec3<double>::zero())};
  for (const Vec3<double>& direction : even_directions(64)) made.list.push_back(with_z(direction));
  return made;
}

EveryOrientation::EveryOrientation(const Robot& robot, Orientations orientations, const Options& options,
                                   double tolerance)
    : normal_(robot.dimension() == 2 ? std::optional(robot.task.position.axes.row_z()) : std::nullopt),
      orientations_(std::move(orientations)),
      count_(orientations_.list.size()),
      positions_(robot, position_target(robot.frame, Vec3<double>::zero()), options, few_starts, false, tolerance),
      poses_(robot, orientations_.shape, options, many_starts, false, tolerance),
      again_(robot, orientations_.shape, options, 1, false, tolerance),
      model_(robot.model),
      refusals_(orientations_.list.size()) {}

std::vector<std::size_t> EveryOrientation::reached(std::span<const Pose<double>> poses) {
  constexpr int more_starts = 24;
  Positions q;
  const std::vector<IkResult>& first = poses_.solve(poses, q);
  std::vector<std::size_t> refused, found;
  for (std::size_t k = 0; k < poses.size(); ++k) (first[k].solved ? found : refused).push_back(k);
  for (int turn = 0; turn < more_starts && !refused.empty(); ++turn) {
    std::vector<Pose<double>> left;
    Positions from;
    for (const std::size_t k : refused) {
      left.push_back(poses[k]);
      from.push_back(random_position(model_, generator_));
    }
    const std::vector<IkResult>& results = again_.solve(left, from);
    std::vector<std::size_t> still;
    for (std::size_t k = 0; k < refused.size(); ++k) (results[k].solved ? found : still).push_back(refused[k]);
    refused.swap(still);
  }
  std::ranges::sort(found);
  return found;
}

void EveryOrientation::sift(std::span<const Vec3<double>> points, std::vector<std::size_t>& alive,
                            std::size_t orientation) {
  std::vector<Pose<double>> poses;
  poses.reserve(alive.size());
  for (const std::size_t k : alive) poses.push_back({orientations_.list[orientation], points[k]});
  std::vector<std::size_t> left;
  for (const std::size_t k : reached(poses)) left.push_back(alive[k]);
  refusals_[orientation] += alive.size() - left.size();
  alive.swap(left);
}

std::vector<char> EveryOrientation::ask(std::span<const Vec3<double>> points) {
  std::vector<Pose<double>> poses;
  for (const Vec3<double>& p : points) poses.push_back({Mat3<double>::identity(), p});
  Positions q;
  const std::vector<IkResult>& reached = positions_.solve(poses, q);
  std::vector<std::size_t> alive;
  for (std::size_t k = 0; k < points.size(); ++k)
    if (reached[k].solved) alive.push_back(k);
  // What refused most so far is asked first: it spares the others.
  std::vector<std::size_t> order(count_);
  for (std::size_t k = 0; k < count_; ++k) order[k] = k;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return refusals_[a] > refusals_[b]; });
  for (const std::size_t orientation : order)
    if (!alive.empty()) sift(points, alive, orientation);
  std::vector<char> answers(points.size(), 0);
  for (const std::size_t k : alive) answers[k] = 1;
  return answers;
}

Mat3<double> EveryOrientation::random_orientation() {
  if (normal_) {
    std::uniform_real_distribution<double> angle(0.0, 2.0 * std::numbers::pi);
    return rotation_about(*normal_, angle(generator_)) * orientations_.list[0];
  }
  std::normal_distribution<double> number;
  std::array<double, 4> x{number(generator_), number(generator_), number(generator_), number(generator_)};
  const double length = std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3]);
  return rotation_of_quaternion(x[0] / length, x[1] / length, x[2] / length, x[3] / length);
}

EveryOrientation::Left EveryOrientation::ask_others(std::span<const Vec3<double>> points) {
  constexpr int orientations = 1024;
  std::vector<Vec3<double>> left(points.begin(), points.end());
  std::vector<Pose<double>> poses;
  std::size_t after_half = left.size();
  for (int turn = 0; turn < orientations && !left.empty(); ++turn) {
    if (turn == orientations / 2) after_half = left.size();
    poses.clear();
    for (const Vec3<double>& p : left) poses.push_back({random_orientation(), p});
    std::vector<Vec3<double>> reached_ones;
    for (const std::size_t k : reached(poses)) reached_ones.push_back(left[k]);
    left.swap(reached_ones);
  }
  return {left.size(), std::max(after_half, left.size()) - left.size()};
}

std::vector<double> shares(const Robot& robot, const Orientations& orientations, const Options& options,
                           double tolerance, std::span<const Vec3<double>> points) {
  Poses asked(robot, orientations.shape, options, few_starts, false, tolerance);
  std::vector<double> share(points.size());
  std::vector<Pose<double>> poses(points.size());
  for (const Mat3<double>& R : orientations.list) {
    for (std::size_t k = 0; k < points.size(); ++k) poses[k] = {R, points[k]};
    Positions q;
    const std::vector<IkResult>& results = asked.solve(poses, q);
    for (std::size_t k = 0; k < points.size(); ++k)
      if (results[k].solved) share[k] += 1.0 / static_cast<double>(orientations.list.size());
  }
  return share;
}

bool has_effort_limits(const Robot& robot) {
  for (int i = 0; i < robot.model.nv(); ++i)
    if (std::isfinite(robot.model.joint_of(i).limits.effort)) return true;
  return false;
}

namespace {

/// What a posture holds.
class Holder {
 public:
  explicit Holder(const Robot& robot)
      : robot_(robot),
        kinematics_(robot.model),
        method_(make_method<double>("newton_euler", Quantity::inverse_dynamics, robot.model)),
        zero_(static_cast<std::size_t>(robot.model.nv())),
        tau_(zero_.size()),
        J_(6 * zero_.size()) {}

  double mass(const std::vector<double>& q) {
    kinematics_.update_positions(q);
    kinematics_.jacobian(robot_.frame, Reference::world_axes, {J_.data(), 6, robot_.model.nv()});
    method_->inverse_dynamics(q, zero_, zero_, tau_);
    const Vec3<double> g = robot_.model.gravity();
    double most = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < tau_.size(); ++i) {
      const double limit = robot_.model.joint_of(static_cast<int>(i)).limits.effort;
      if (!std::isfinite(limit)) continue;
      if (std::abs(tau_[i]) > limit) return 0.0;
      const double per_mass = -(J_[6 * i + 3] * g.x + J_[6 * i + 4] * g.y + J_[6 * i + 5] * g.z);
      if (per_mass != 0.0) most = std::min(most, ((per_mass > 0.0 ? limit : -limit) - tau_[i]) / per_mass);
    }
    return most;
  }

 private:
  const Robot& robot_;
  Kinematics<double> kinematics_;
  std::unique_ptr<Method<double>> method_;
  std::vector<double> zero_, tau_, J_;
};

}  // namespace

std::vector<double> payloads(const Robot& robot, const Options& options, double tolerance,
                             std::span<const Vec3<double>> points, const Positions& q) {
  constexpr int postures = 16;
  Poses asked(robot, position_target(robot.frame, Vec3<double>::zero()), options, 1, false, tolerance);
  Holder holder(robot);
  std::mt19937_64 generator(1);
  std::vector<double> most(points.size());
  std::vector<Pose<double>> poses;
  for (std::size_t k = 0; k < points.size(); ++k) {
    poses.push_back({Mat3<double>::identity(), points[k]});
    most[k] = holder.mass(q[k]);
  }
  for (int posture = 0; posture < postures; ++posture) {
    Positions from(points.size());
    for (std::vector<double>& start : from) start = random_position(robot.model, generator);
    const std::vector<IkResult>& results = asked.solve(poses, from);
    for (std::size_t k = 0; k < points.size(); ++k)
      if (results[k].solved) most[k] = std::max(most[k], holder.mass(from[k]));
  }
  return most;
}

}  // namespace ulna::reach
