#include "motion_cost.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kinematics/is_rotation.hpp"
#include "ulna/base/error.hpp"
#include "ulna/model/local_coordinates.hpp"
#include "ulna/spatial/lie.hpp"

namespace ulna::control {

namespace {

void expect_numbers(const char* what, const std::vector<double>& x, int wanted, bool weights) {
  if (!x.empty() && std::ssize(x) != wanted)
    throw InputError(fmt::format("{} has {} numbers; {} are wanted, or none", what, x.size(), wanted));
  for (const double number : x)
    if (!std::isfinite(number) || (weights && number < 0.0))
      throw InputError(fmt::format("{}: {}", what, weights ? "a weight is 0 or more" : "a number is not finite"));
}

void expect_cost(const Model& model, const ControlCost& cost, int inputs) {
  expect_numbers("posture", cost.posture, model.nq(), false);
  expect_numbers("posture_weight", cost.posture_weight, model.nv(), true);
  expect_numbers("velocity_weight", cost.velocity_weight, model.nv(), true);
  expect_numbers("torque", cost.torque, inputs, false);
  expect_numbers("torque_weight", cost.torque_weight, inputs, true);
  for (const IkTarget& tip : cost.tips) {
    model.expect_frame(tip.frame);
    for (const Vec3<double>& w : {tip.position, tip.orientation})
      expect_numbers("weights of a tip", {w.x, w.y, w.z}, 3, true);
    for (const Vec3<double>& x : {tip.pose.p, tip.pose.R.row_x(), tip.pose.R.row_y(), tip.pose.R.row_z()})
      expect_numbers("pose of a tip", {x.x, x.y, x.z}, 3, false);
    if (!is_rotation(tip.pose.R)) throw InputError("pose of a tip: its orientation is no rotation");
  }
}

double weighted(const Vec3<double>& weight, const Vec3<double>& e) {
  return weight.x * e.x * e.x + weight.y * e.y * e.y + weight.z * e.z * e.z;
}

struct TipError {
  Vec3<double> position, orientation;
};
TipError error_of(const IkTarget& tip, const Pose<double>& pose) {
  return {pose.p - tip.pose.p, log_rotation(transpose(tip.pose.R) * pose.R)};
}

/// How far a degree of freedom is beyond its limits, with its sign; 0 for those that have none.
double beyond_limits(const Model& model, std::span<const double> q, int degree) {
  const int at = model.q_of_v()[static_cast<std::size_t>(degree)];
  if (at < 0) return 0.0;
  const auto i = static_cast<std::size_t>(at);
  const double lower = model.lower_limits()[i], upper = model.upper_limits()[i];
  return q[i] > upper ? q[i] - upper : q[i] < lower ? q[i] - lower : 0.0;
}

}  // namespace

MotionCost::MotionCost(const Model& model, const ControlProblem& problem, int inputs)
    : model_(model),
      problem_(problem),
      n_(model.nv()),
      inputs_(inputs),
      kinematics_(model),
      error_(static_cast<std::size_t>(n_)),
      row_(static_cast<std::size_t>(n_)),
      jacobian_(6 * static_cast<std::size_t>(n_)) {
  expect_cost(model, problem.running, inputs);
  expect_cost(model, problem.terminal, inputs);
  if (std::ranges::any_of(problem.terminal.torque_weight, [](double w) { return w > 0.0; }))
    throw InputError("torque_weight at the end of the motion: no torque acts there; give it to the running cost");
  expect_numbers("limit_weight", {problem.limit_weight}, 1, true);
  for (const KeepOut& sphere : problem.keep_out) {
    model.expect_frame(sphere.frame);
    expect_numbers("keep_out", {sphere.radius, sphere.weight}, 2, true);
    expect_numbers("centre of keep_out", {sphere.centre.x, sphere.centre.y, sphere.centre.z}, 3, false);
  }
  for (ControlCost* cost : {&problem_.running, &problem_.terminal})
    if (cost->posture.empty()) cost->posture = model.neutral();
}

double MotionCost::value(std::span<const double> q, std::span<const double> v, std::span<const double> torque) {
  const bool end = torque.empty();
  const ControlCost& cost = cost_of(end);
  double sum = 0.0;
  if (!cost.posture_weight.empty()) {
    difference(model_, cost.posture, q, error_);
    for (std::size_t i = 0; i < error_.size(); ++i) sum += cost.posture_weight[i] * error_[i] * error_[i];
  }
  for (std::size_t i = 0; i < cost.velocity_weight.size(); ++i) sum += cost.velocity_weight[i] * v[i] * v[i];
  for (std::size_t i = 0; i < torque.size() && !cost.torque_weight.empty(); ++i) {
    const double e = torque[i] - (cost.torque.empty() ? 0.0 : cost.torque[i]);
    sum += cost.torque_weight[i] * e * e;
  }
  for (int k = 0; k < n_ && problem_.limit_weight > 0.0; ++k) {
    const double e = beyond_limits(model_, q, k);
    sum += problem_.limit_weight * e * e;
  }
  if (looks_at_frames(cost, end)) {
    kinematics_.update_positions(q);
    for (const IkTarget& tip : cost.tips) {
      const TipError e = error_of(tip, kinematics_.pose(tip.frame));
      sum += weighted(tip.position, e.position) + weighted(tip.orientation, e.orientation);
    }
    for (const KeepOut& sphere : problem_.keep_out) {
      const double missing = sphere.radius - norm(kinematics_.pose(sphere.frame).p - sphere.centre);
      if (!end && missing > 0.0) sum += sphere.weight * missing * missing;
    }
  }
  return 0.5 * sum * (end ? 1.0 : problem_.step);
}

void MotionCost::add_square(double weight, double error, std::span<const double> row, std::span<double> g,
                            Panel& H) const {
  for (int j = 0; j < n_; ++j) {
    const double x = weight * row[static_cast<std::size_t>(j)];
    if (x == 0.0) continue;
    g[static_cast<std::size_t>(j)] += x * error;
    double* column = H.column(j);
    for (int i = 0; i < n_; ++i) column[i] += x * row[static_cast<std::size_t>(i)];
  }
}

/// The error of a rotation is its vector e; it changes by J⁻¹(e) of a turn.
void MotionCost::add_posture(const ControlCost& cost, double scale, std::span<const double> q, std::span<double> g,
                             Panel& H) {
  difference(model_, cost.posture, q, error_);
  for (int k = 0; k < n_; ++k) {
    const auto i = static_cast<std::size_t>(k);
    if (model_.q_of_v()[i] < 0) continue;
    g[i] += scale * cost.posture_weight[i] * error_[i];
    H(k, k) += scale * cost.posture_weight[i];
  }
  for (const Body& body : model_.bodies()) {
    if (!has_quaternion(body.kind)) continue;
    const auto at = static_cast<std::size_t>(body.v_index);
    const auto add = [&](std::size_t first, const Mat3<double>& J) {
      const Vec3<double> rows[] = {J.row_x(), J.row_y(), J.row_z()};
      for (std::size_t k = 0; k < 3; ++k) {
        std::fill(row_.begin(), row_.end(), 0.0);
        rows[k].store(&row_[first]);
        add_square(scale * cost.posture_weight[first + k], error_[first + k], row_, g, H);
      }
    };
    add(at, inverse_body_jacobian(Vec3<double>::load(&error_[at])));
    if (body.kind != JointKind::free) continue;
    add(at + 3, exp_rotation(Vec3<double>::load(&error_[at])));  // from the axes of the body to those of the posture
  }
}

void MotionCost::add_tip(const IkTarget& tip, double scale, std::span<double> g, Panel& H) {
  const Pose<double> pose = kinematics_.pose(tip.frame);
  const TipError e = error_of(tip, pose);
  MatrixView<double> J(jacobian_.data(), 6, n_);
  kinematics_.jacobian(tip.frame, Reference::world_axes, J);
  const Mat3<double> turn = inverse_body_jacobian(e.orientation) * transpose(pose.R);
  for (int j = 0; j < n_; ++j) (turn * Vec3<double>::load(J.column(j))).store(J.column(j));
  const double weights[] = {tip.orientation.x, tip.orientation.y, tip.orientation.z,
                            tip.position.x,    tip.position.y,    tip.position.z};
  const double errors[] = {e.orientation.x, e.orientation.y, e.orientation.z, e.position.x, e.position.y, e.position.z};
  for (int k = 0; k < 6; ++k) {
    if (weights[k] == 0.0) continue;
    for (int j = 0; j < n_; ++j) row_[static_cast<std::size_t>(j)] = J(k, j);
    add_square(scale * weights[k], errors[k], row_, g, H);
  }
}

void MotionCost::differentiate(std::span<const double> q, std::span<const double> v, std::span<const double> torque,
                               std::span<double> g, Panel& H) {
  const bool end = torque.empty();
  const ControlCost& cost = cost_of(end);
  const double scale = end ? 1.0 : problem_.step;
  if (!cost.posture_weight.empty()) add_posture(cost, scale, q, g, H);
  for (std::size_t i = 0; i < cost.velocity_weight.size(); ++i) {
    const int at = n_ + static_cast<int>(i);
    g[static_cast<std::size_t>(at)] += scale * cost.velocity_weight[i] * v[i];
    H(at, at) += scale * cost.velocity_weight[i];
  }
  for (std::size_t i = 0; i < torque.size() && !cost.torque_weight.empty(); ++i) {
    const int at = 2 * n_ + static_cast<int>(i);
    const double e = torque[i] - (cost.torque.empty() ? 0.0 : cost.torque[i]);
    g[static_cast<std::size_t>(at)] += scale * cost.torque_weight[i] * e;
    H(at, at) += scale * cost.torque_weight[i];
  }
  for (int k = 0; k < n_ && problem_.limit_weight > 0.0; ++k) {
    const double e = beyond_limits(model_, q, k);
    if (e == 0.0) continue;
    g[static_cast<std::size_t>(k)] += scale * problem_.limit_weight * e;
    H(k, k) += scale * problem_.limit_weight;
  }
  if (!looks_at_frames(cost, end)) return;
  kinematics_.update_positions(q);
  for (const IkTarget& tip : cost.tips) add_tip(tip, scale, g, H);
  for (const KeepOut& sphere : problem_.keep_out) {
    const Vec3<double> away = kinematics_.pose(sphere.frame).p - sphere.centre;
    const double distance = norm(away), missing = sphere.radius - distance;
    if (end || !(missing > 0.0) || distance == 0.0) continue;
    MatrixView<double> J(jacobian_.data(), 6, n_);
    kinematics_.jacobian(sphere.frame, Reference::world_axes, J);
    for (int j = 0; j < n_; ++j)
      row_[static_cast<std::size_t>(j)] = -dot(away, Vec3<double>::load(J.column(j) + 3)) / distance;
    add_square(scale * sphere.weight, missing, row_, g, H);
  }
}

}  // namespace ulna::control
