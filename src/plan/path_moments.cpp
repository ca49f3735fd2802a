#include "path_moments.hpp"

#include <algorithm>
#include <cmath>

#include "ulna/dynamics/joint_forces.hpp"
#include "ulna/dynamics/newton_euler/newton_euler.hpp"
#include "ulna/kinematics/kinematics.hpp"

namespace ulna {

namespace {

constexpr std::size_t columns_of_joint = 5;
constexpr double corner_reach = 32.0;  // cells: some intervals of time

/// From 1 at 0 to 0 at ±1, smoothly.
double fade(double x) { return std::abs(x) >= 1.0 ? 0.0 : (1.0 - x * x) * (1.0 - x * x); }
double fade_slope(double x) { return std::abs(x) >= 1.0 ? 0.0 : -4.0 * x * (1.0 - x * x); }

/// By joint, of q″ and of the torque.
std::size_t column_of_b(std::size_t k) { return columns_of_joint * (k / 2) + 1 + 2 * (k % 2); }

}  // namespace

/// Of one joint at an s: a, b, c with two derivatives each, and q′ and q″ for friction.
struct [[gnu::visibility("hidden")]] PathMoments::Coefficients {
  std::array<double, 3> a, b, c;
  double viscous, coulomb;
  std::array<double, 3> slope;  // q′, q″, q‴
};

PathMoments::PathMoments(const Model& model, const Path& path, const TimingLimits& limits, double begin, double end,
                         std::size_t cells)
    : model_(model),
      n_(path.width()),
      reach_(corner_reach * (end - begin) / static_cast<double>(cells)),
      at_(n_ * columns_of_joint + 1),
      first_(at_),
      second_(at_),
      before_(2 * n_),
      after_(2 * n_) {
  find_corners(path, begin, end);
  const auto add = [&](What what, const std::vector<double>& list) {
    for (std::size_t j = 0; j < list.size(); ++j) {
      if (!std::isfinite(list[j])) continue;
      if ((what == What::jerk || what == What::torque_rate) && !corners_.empty()) {
        rows_.push_back({what, j, list[j], Side::before});
        rows_.push_back({what, j, list[j], Side::after});
      } else {
        rows_.push_back({what, j, list[j]});
      }
    }
  };
  add(What::velocity, limits.velocity);
  add(What::acceleration, limits.acceleration);
  add(What::jerk, limits.jerk);
  add(What::torque, limits.torque);
  add(What::torque_rate, limits.torque_rate);
  add(What::power, limits.power);
  if (std::isfinite(limits.tip_speed)) rows_.push_back({What::tip_speed, 0, limits.tip_speed});
  tabulate(model, path, knots(path, begin, end, cells));
}

/// Even cells on each piece of the path.
std::vector<double> PathMoments::knots(const Path& path, double begin, double end, std::size_t cells) const {
  std::vector<double> s{begin};
  for (std::size_t piece = 0; piece < path.piece_count(); ++piece) {
    const double from = path.ends()[piece], to = path.ends()[piece + 1];
    if (from < begin || to > end) continue;
    const auto count = static_cast<std::size_t>(std::ceil(static_cast<double>(cells) * (to - from) / (end - begin)));
    for (std::size_t k = 1; k < count; ++k)
      s.push_back(from + (to - from) * static_cast<double>(k) / static_cast<double>(count));
    s.push_back(to);
  }
  return s;
}

void PathMoments::find_corners(const Path& path, double begin, double end) {
  constexpr double rounding = 1e-9;
  newton_euler::Workspace<double> dynamics(model_);
  std::vector<double> q(n_), first(n_), here(n_), next(n_), third(n_), before(n_), tau(n_), rest(n_);
  const std::vector<double> zero(n_);
  for (std::size_t piece = 0; piece < path.piece_count(); ++piece) {
    const double from = path.ends()[piece], to = path.ends()[piece + 1];
    path.at(to, piece, q, first, next);
    path.at(from, piece, q, first, here);
    for (std::size_t j = 0; j < n_; ++j) third[j] = (next[j] - here[j]) / (to - from);
    double size = 0.0, jump = 0.0;
    for (std::size_t j = 0; j < n_; ++j) {
      size = std::max({size, std::abs(third[j]), std::abs(before[j])});
      jump = std::max(jump, std::abs(third[j] - before[j]));
      before[j] = third[j] - before[j];
    }
    if (from > begin && from < end && jump > rounding * size) {
      newton_euler::inverse_dynamics<double>(model_, dynamics, q, zero, zero, rest);
      newton_euler::inverse_dynamics<double>(model_, dynamics, q, zero, before, tau);
      corners_.push_back({from, {}});
      for (std::size_t j = 0; j < n_; ++j)
        corners_.back().jumps.insert(corners_.back().jumps.end(), {before[j], tau[j] - rest[j]});
    }
    before = third;
  }
}

void PathMoments::tabulate(const Model& model, const Path& path, std::span<const double> s) {
  newton_euler::Workspace<double> dynamics(model);
  Kinematics<double> kinematics(model);
  std::vector<double> q(n_), first(n_), second(n_), tau(n_), rest(n_), rows;
  const std::vector<double> zero(n_);
  std::size_t piece = 0;
  for (const double at : s) {
    while (piece + 1 < path.piece_count() && at >= path.ends()[piece + 1] && at < s.back()) ++piece;
    path.at(at, piece, q, first, second);
    rows.resize(rows.size() + at_.size());
    const std::span<double> row = std::span(rows).last(at_.size());
    const auto set = [&](std::size_t column, std::span<const double> value, std::span<const double> minus) {
      for (std::size_t j = 0; j < n_; ++j) row[columns_of_joint * j + column] += value[j] - minus[j];
    };
    set(0, first, zero);
    set(1, second, zero);
    newton_euler::inverse_dynamics<double>(model, dynamics, q, zero, zero, rest);
    set(4, rest, zero);
    newton_euler::inverse_dynamics<double>(model, dynamics, q, zero, first, tau);
    set(2, tau, rest);
    newton_euler::inverse_dynamics<double>(model, dynamics, q, zero, second, tau);
    set(3, tau, rest);
    newton_euler::coriolis_force<double>(model, dynamics, q, first, tau);
    set(3, tau, zero);
    for (const Corner& corner : corners_)  // splines are smooth; the corners are added again where they are used
      for (std::size_t k = 0; k < 2 * n_ && corner.s < at; ++k)
        row[column_of_b(k)] -= corner.jumps[k] * (at - corner.s);
    kinematics.update_positions(q);
    kinematics.update_velocities(first);
    const Vec3<double> tip = kinematics.velocity(model.tip(), Reference::world_axes).linear;
    row.back() = dot(tip, tip);
  }
  table_.emplace(std::vector<double>(s.begin(), s.end()), std::move(rows), at_.size(), CubicSpline::Ends::natural);
}

void PathMoments::look_up(double s) {
  table_->at(std::clamp(s, table_->times().front(), table_->times().back()), table_->piece(s), at_, first_, second_);
  std::fill(before_.begin(), before_.end(), Jump{});
  std::fill(after_.begin(), after_.end(), Jump{});
  for (const Corner& corner : corners_) {
    const double way = s - corner.s, part = fade(way / reach_), slope = fade_slope(way / reach_) / reach_;
    if (way < -reach_) break;
    for (std::size_t k = 0; k < 2 * n_; ++k) {
      const double jump = corner.jumps[k];
      Jump& side = way > 0.0 ? before_[k] : after_[k];
      const double sign = way > 0.0 ? -1.0 : 1.0;
      side[0] += sign * part * jump;
      side[1] += sign * slope * jump;
      if (way <= 0.0) continue;
      at_[column_of_b(k)] += jump * way;
      first_[column_of_b(k)] += jump;
    }
  }
}

/// Of q″ or of a torque, with its derivatives; k counts both by joint.
std::array<double, 3> PathMoments::b_of(std::size_t k, Side side) const {
  const std::size_t column = column_of_b(k);
  const Jump jump = side == Side::here ? Jump{} : side == Side::before ? before_[k] : after_[k];
  return {at_[column], first_[column] + jump[0], second_[column] + jump[1]};
}

PathMoments::Coefficients PathMoments::acceleration_of(std::size_t joint, Side side) const {
  const std::size_t k = columns_of_joint * joint;
  return {{at_[k], first_[k], second_[k]}, b_of(2 * joint, side), {}, 0.0, 0.0, {}};
}

PathMoments::Coefficients PathMoments::torque_of(std::size_t joint, Side side) const {
  const std::size_t k = columns_of_joint * joint;
  const auto column = [&](std::size_t c) { return std::array{at_[k + c], first_[k + c], second_[k + c]}; };
  return {column(2), b_of(2 * joint + 1, side), column(4), model_.viscous()[joint], model_.coulomb()[joint], column(0)};
}

/// a s̈ + b ṡ² + c + F(q′ ṡ).
PathMoments::Slope PathMoments::level(const Coefficients& k, std::span<const double> x) const {
  const double w = x[1], u = x[2], speed = model_.friction_speed();
  const double force = friction(k.viscous, k.coulomb, speed, k.slope[0] * w);
  const double slope = friction_slope(k.viscous, k.coulomb, speed, k.slope[0] * w);
  return {k.a[0] * u + k.b[0] * w * w + k.c[0] + force,
          {k.a[1] * u + k.b[1] * w * w + k.c[1] + slope * k.slope[1] * w, 2.0 * k.b[0] * w + slope * k.slope[0], k.a[0],
           0.0}};
}

/// Its derivative by time: a s⃛ + (a′ + 2 b) ṡ s̈ + b′ ṡ³ + c′ ṡ + F′(q′ ṡ) (q′ s̈ + q″ ṡ²).
PathMoments::Slope PathMoments::rate(const Coefficients& k, std::span<const double> x) const {
  const double w = x[1], u = x[2], j = x[3], speed = model_.friction_speed();
  const double v = k.slope[0] * w, acceleration = k.slope[0] * u + k.slope[1] * w * w;
  const double slope = friction_slope(k.viscous, k.coulomb, speed, v);
  const double ramp = friction_ramp(speed, v);
  const double curve = std::abs(ramp) < 1.0 ? -3.0 * k.coulomb * ramp / (speed * speed) : 0.0;  // F″
  return {k.a[0] * j + (k.a[1] + 2.0 * k.b[0]) * w * u + k.b[1] * w * w * w + k.c[1] * w + slope * acceleration,
          {k.a[1] * j + (k.a[2] + 2.0 * k.b[1]) * w * u + k.b[2] * w * w * w + k.c[2] * w +
               curve * k.slope[1] * w * acceleration + slope * (k.slope[1] * u + k.slope[2] * w * w),
           (k.a[1] + 2.0 * k.b[0]) * u + 3.0 * k.b[1] * w * w + k.c[1] + curve * k.slope[0] * acceleration +
               2.0 * slope * k.slope[1] * w,
           (k.a[1] + 2.0 * k.b[0]) * w + slope * k.slope[0], k.a[0]}};
}

PathMoments::Slope PathMoments::velocity(std::size_t joint, std::span<const double> x) const {
  const std::size_t k = columns_of_joint * joint;
  return {at_[k] * x[1], {first_[k] * x[1], at_[k], 0.0, 0.0}};
}

PathMoments::Slope PathMoments::row_value(const Row& row, std::span<const double> x) const {
  const double limit = row.limit;
  Slope slope{};
  switch (row.what) {
    case What::velocity: slope = velocity(row.joint, x); break;
    case What::acceleration: slope = level(acceleration_of(row.joint, row.side), x); break;
    case What::jerk: slope = rate(acceleration_of(row.joint, row.side), x); break;
    case What::torque: slope = level(torque_of(row.joint, row.side), x); break;
    case What::torque_rate: slope = rate(torque_of(row.joint, row.side), x); break;
    case What::power: {
      const Slope v = velocity(row.joint, x), tau = level(torque_of(row.joint, row.side), x);
      slope.value = v.value * tau.value;
      for (std::size_t i = 0; i < 4; ++i) slope.by[i] = v.value * tau.by[i] + v.by[i] * tau.value;
      break;
    }
    case What::tip_speed:  // the square in parts of the limit's, which is smooth at rest
      slope = {at_.back() * x[1] * x[1] / limit,
               {first_.back() * x[1] * x[1] / limit, 2.0 * at_.back() * x[1] / limit}};
      break;
  }
  slope.value /= limit;
  for (double& by : slope.by) by /= limit;
  return slope;
}

void PathMoments::values(std::span<const double> x, std::span<double> g, std::span<double> cost) {
  for (std::size_t m = 0; m < cost.size(); ++m) {
    look_up(x[4 * m]);
    for (std::size_t r = 0; r < rows_.size(); ++r)
      g[m * rows_.size() + r] = row_value(rows_[r], x.subspan(4 * m, 4)).value;
    cost[m] = 0.0;
  }
}

void PathMoments::derivatives(std::span<const double> x, std::span<const double> weight, double /*cost_weight*/,
                              std::span<double> slopes, std::span<double> cost_slope, std::span<double> second) {
  constexpr double further = 1e-6;  // of the largest s, ṡ, …
  std::array<double, 4> most{}, sum{}, moved{};
  for (std::size_t k = 0; k < x.size(); ++k) most[k % 4] = std::max(most[k % 4], std::abs(x[k]));
  std::fill(cost_slope.begin(), cost_slope.end(), 0.0);
  std::fill(second.begin(), second.end(), 0.0);
  for (std::size_t m = 0; m < x.size() / 4; ++m) {
    const std::span<const double> here = x.subspan(4 * m, 4);
    const auto weighted = [&](std::span<const double> at, std::array<double, 4>& total, double* keep) {
      look_up(at[0]);
      total.fill(0.0);
      for (std::size_t r = 0; r < rows_.size(); ++r) {
        const Slope slope = row_value(rows_[r], at);
        for (std::size_t i = 0; i < 4; ++i) total[i] += weight[m * rows_.size() + r] * slope.by[i];
        if (keep != nullptr) std::copy_n(slope.by.begin(), 4, keep + 4 * r);
      }
    };
    weighted(here, sum, &slopes[m * rows_.size() * 4]);
    double* const matrix = &second[16 * m];
    for (std::size_t i = 0; i < 4; ++i) {
      const double way = further * std::max(most[i], 1e-6);
      std::array<double, 4> next{here[0], here[1], here[2], here[3]};
      next[i] += way;
      weighted(next, moved, nullptr);
      for (std::size_t k = 0; k < 4; ++k) {
        const double value = 0.5 * (moved[k] - sum[k]) / way;
        matrix[4 * i + k] += value;
        matrix[4 * k + i] += value;
      }
    }
  }
}

}  // namespace ulna
