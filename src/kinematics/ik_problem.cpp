#include "ik_problem.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "is_rotation.hpp"
#include "model/is_finite.hpp"
#include "ulna/base/error.hpp"
#include "ulna/model/expect_size.hpp"
#include "ulna/model/expect_tree.hpp"
#include "ulna/model/expect_unit_quaternions.hpp"
#include "ulna/model/random_state.hpp"
#include "ulna/real/pack.hpp"

namespace ulna {

namespace {

constexpr std::size_t features_per_target = 12;  // origin, then the three axes

std::array<double, 3> parts_of(const Vec3<double>& a) { return {a.x, a.y, a.z}; }

/// Of the way from the base to the frame, links and slides stretched.
double length_to(const Model& model, const Frame& frame) {
  double length = norm(frame.pose.p);
  for (int i = frame.body; i >= 0; i = model.bodies()[static_cast<std::size_t>(i)].parent) {
    const Body& body = model.bodies()[static_cast<std::size_t>(i)];
    length += norm(body.placement.p);
    const double low = model.lower_limits()[static_cast<std::size_t>(body.q_index)],
                 high = model.upper_limits()[static_cast<std::size_t>(body.q_index)];
    if (slides(body.kind) && std::isfinite(high - low)) length += std::max(std::abs(low), std::abs(high));
  }
  return length;
}

double length_of(const Model& model, std::span<const IkTarget> targets) {
  double most = 0.0;
  for (const IkTarget& target : targets) most = std::max(most, length_to(model, target.frame));
  return most > 0.0 ? most : 1.0;
}

TurnRows turn_rows_of(const std::array<double, 3>& w) {
  if (w[0] == 0.0 && w[1] == 0.0 && w[2] == 0.0) return TurnRows::none;
  if (w[0] == w[1] && w[1] == w[2]) return TurnRows::all;
  return w[0] == w[1] && w[2] == 0.0 ? TurnRows::direction : TurnRows::parts;
}

void expect_weights(const IkTarget& target) {
  double sum = 0.0;
  for (const Vec3<double>& weights : {target.position, target.orientation}) {
    for (const double w : parts_of(weights)) {
      if (!(w >= 0.0) || !std::isfinite(w))
        throw InputError("inverse kinematics: a weight of '" + target.frame.name + "' is not a number from 0 upwards");
      sum += w;
    }
  }
  if (sum == 0.0)
    throw InputError("inverse kinematics: all weights of '" + target.frame.name + "' are zero; nothing is asked of it");
}

IkRows rows_of(const IkTarget& target, double length) {
  IkRows rows{target.frame, parts_of(target.position), parts_of(target.orientation), {}, 0};
  rows.turn_rows = turn_rows_of(rows.turn_scale);
  for (const double w : rows.position_scale) rows.count += w > 0.0 ? 1 : 0;
  for (const double w : rows.turn_scale) rows.count += w > 0.0 ? 1 : 0;
  for (double& scale : rows.position_scale) scale /= length;
  return rows;
}

const std::vector<IkTarget>& expect_good(const Model& model, const std::vector<IkTarget>& targets,
                                         const IkOptions& options) {
  expect_tree(model);
  if (targets.empty()) throw InputError("inverse kinematics needs a target");
  for (const IkTarget& target : targets) {
    model.expect_frame(target.frame);
    expect_weights(target);
    if (is_finite(target.pose) && std::isinf(dot(target.pose.p, target.pose.p)))
      throw InputError("inverse kinematics: the position for '" + target.frame.name +
                       "' is so far away that its square is no number; give one in metres");
  }
  if (!(options.position_tolerance > 0.0) || !(options.orientation_tolerance > 0.0))
    throw InputError("inverse kinematics: a tolerance is a positive number");
  if (options.starts < 1) throw InputError("inverse kinematics needs one start at least");
  return targets;
}

std::vector<IkRows> all_rows(std::span<const IkTarget> targets, double length) {
  std::vector<IkRows> rows;
  for (const IkTarget& target : targets) rows.push_back(rows_of(target, length));
  return rows;
}

std::vector<double> by_velocity(const Model& model, std::span<const double> limits, double without) {
  std::vector<double> by_v;
  for (const int iq : model.q_of_v()) by_v.push_back(iq < 0 ? without : limits[static_cast<std::size_t>(iq)]);
  return by_v;
}

/// How much each axis says of an orientation: with small turns φ, Σ c (1 − cos) of the axes is Σ (scale φ)².
std::array<double, 3> axis_weights(const std::array<double, 3>& scale) {
  const double x = scale[0] * scale[0], y = scale[1] * scale[1], z = scale[2] * scale[2];
  return {std::max(y + z - x, 0.0), std::max(x + z - y, 0.0), std::max(x + y - z, 0.0)};
}

std::array<double, features_per_target> features_of(const Pose<double>& pose) {
  const Mat3<double>& R = pose.R;
  return {pose.p.x, pose.p.y, pose.p.z, R.xx, R.yx, R.zx, R.xy, R.yy, R.zy, R.xz, R.yz, R.zz};
}

/// Each part's best sample, nearest first: by insertion, of which there is little for so few.
template <class Stratum>
IkStarts::Order sorted(const Stratum& distance, const Stratum& where) {
  IkStarts::Order order;
  std::array<float, IkStarts::strata> apart;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const float own = distance[static_cast<int>(k)];
    std::size_t at = k;
    for (; at > 0 && own < apart[at - 1]; --at) {
      apart[at] = apart[at - 1];
      order[at] = order[at - 1];
    }
    apart[at] = own;
    order[at] = static_cast<std::size_t>(where[static_cast<int>(k)]) + k;
  }
  return order;
}

}  // namespace

IkStarts::IkStarts(const Model& model, std::span<const IkRows> rows)
    : nq_(static_cast<std::size_t>(model.nq())),
      features_(features_per_target * rows.size()),
      rows_(rows.begin(), rows.end()),
      table_(features_ * count),
      constant_(count) {
  std::mt19937 generator(1);
  Kinematics<double> kinematics(model);
  for (std::size_t sample = 0; sample < count; ++sample) {
    const std::vector<double> q = random_position(model, generator);
    positions_.insert(positions_.end(), q.begin(), q.end());
    kinematics.update_positions(q);
    for (std::size_t t = 0; t < rows.size(); ++t)
      add_features(kinematics.pose(rows[t].frame), rows[t], sample, t * features_per_target);
  }
}

void IkStarts::add_features(const Pose<double>& pose, const IkRows& rows, std::size_t sample, std::size_t first) {
  const auto own = features_of(pose);
  for (std::size_t f = 0; f < own.size(); ++f) table_[(first + f) * count + sample] = static_cast<float>(own[f]);
  for (std::size_t k = 0; k < 3; ++k) {
    const double x = rows.position_scale[k] * own[k];
    constant_[sample] += static_cast<float>(x * x);
  }
}

/// Sums of products of features are 16 samples at a time: one of each part.
IkStarts::Order IkStarts::best(std::span<const Pose<double>> poses) const {
  using Stratum = Pack<float, static_cast<int>(strata)>;
  std::array<Stratum, count / strata> distance;
  for (std::size_t k = 0; k < distance.size(); ++k) distance[k] = Stratum::load(&constant_[k * strata]);
  for (std::size_t t = 0; t < poses.size(); ++t) {
    const auto own = features_of(poses[t]);
    const auto axes = axis_weights(rows_[t].turn_scale);
    std::array<Stratum, features_per_target> weight;
    for (std::size_t f = 0; f < own.size(); ++f) {
      const double scale = f < 3 ? 2.0 * rows_[t].position_scale[f] * rows_[t].position_scale[f] : axes[(f - 3) / 3];
      weight[f] = Stratum(-scale * own[f]);
    }
    const float* const table = &table_[t * features_per_target * count];
    for (std::size_t k = 0; k < distance.size(); ++k)
      for (std::size_t f = 0; f < features_per_target; ++f)
        distance[k] += weight[f] * Stratum::load(table + f * count + k * strata);
  }
  Stratum least = distance[0], where(0.0);
  for (std::size_t k = 1; k < distance.size(); ++k) {
    const auto nearer = distance[k] < least;
    least = select(nearer, distance[k], least);
    where = select(nearer, Stratum(static_cast<double>(k * strata)), where);
  }
  return sorted(least, where);
}

IkProblem::IkProblem(const Model& m, std::vector<IkTarget> wanted, const IkOptions& o)
    : model(m),
      targets(expect_good(m, wanted, o)),
      options(o),
      length(length_of(m, targets)),
      rows(all_rows(targets, length)),
      lower(by_velocity(m, m.lower_limits(), -std::numeric_limits<double>::infinity())),
      upper(by_velocity(m, m.upper_limits(), std::numeric_limits<double>::infinity())),
      starts(m, rows) {
  for (const IkRows& one : rows) row_count += one.count;
}

void IkProblem::expect_poses(std::span<const Pose<double>> poses) const {
  expect_size("the list of poses", poses.size(), static_cast<int>(targets.size()));
  if (!std::all_of(poses.begin(), poses.end(), [](const Pose<double>& pose) { return is_finite(pose); }))
    throw std::invalid_argument("a pose to reach has a number that is not finite");
  if (!are_poses(poses)) throw std::invalid_argument("the orientation of a pose to reach is no rotation");
}

bool IkProblem::are_poses(std::span<const Pose<double>> poses) const {
  for (std::size_t k = 0; k < poses.size(); ++k)
    if (!is_finite(poses[k]) || (rows[k].turn_rows != TurnRows::none && !is_rotation(poses[k].R))) return false;
  return true;
}

void IkProblem::expect_start(VectorIn<double> start) const {
  if (start.empty()) return;
  expect_size("the start", start.size(), model.nq());
  expect_unit_quaternions<double>(model, start);
  if (!is_position(start)) throw std::invalid_argument("the start has a number that is not finite");
}

bool IkProblem::is_position(std::span<const double> start) const {
  if (!std::all_of(start.begin(), start.end(), [](double x) { return std::isfinite(x); })) return false;
  for (const Body& body : model.bodies()) {
    if (!has_quaternion(body.kind)) continue;
    const double* r = &start[static_cast<std::size_t>(body.q_index + quaternion_of(body.kind))];
    const double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3];
    if (std::abs(square - 1.0) > unit_quaternion_slack) return false;
  }
  return true;
}

}  // namespace ulna
