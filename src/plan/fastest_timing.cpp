#include "ulna/plan/fastest_timing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "speed_interval.hpp"
#include "third_order_timing.hpp"
#include "tip_force.hpp"
#include "ulna/base/error.hpp"
#include "ulna/dynamics/joint_forces.hpp"
#include "ulna/dynamics/newton_euler/newton_euler.hpp"
#include "ulna/kinematics/kinematics.hpp"
#include "ulna/model/effort_by_speed.hpp"
#include "ulna/model/expect_tree.hpp"

namespace ulna {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr std::size_t lanes = PackDouble::lanes;
using FourStates = std::vector<PackDouble>;  // of one number per joint, at four points

/// Where the dynamics of the path are needed: an end of an interval, on a piece.
struct GridPoint {
  double s;
  std::size_t piece;
};

void expect_limits(const char* what, const std::vector<double>& limits, int nv) {
  if (limits.size() != static_cast<std::size_t>(nv))
    throw InputError(fmt::format("the limits of {} are {} numbers; the robot has {} joints", what, limits.size(), nv));
  for (const double limit : limits)
    if (!(limit > 0.0)) throw InputError(fmt::format("a limit of {} is {}; it must be positive", what, limit));
}

void expect_good(const Model& model, const TimingLimits& limits, const TimingOptions& options) {
  expect_tree(model);
  if (model.nq() != model.nv())
    throw InputError(
        fmt::format("'{}' has joints with quaternions; paths are for joints with plain numbers", model.name()));
  expect_limits("velocity", limits.velocity, model.nv());
  expect_limits("acceleration", limits.acceleration, model.nv());
  expect_limits("torque", limits.torque, model.nv());
  expect_limits("power", limits.power, model.nv());
  expect_limits("jerk", limits.jerk, model.nv());
  expect_limits("torque rate", limits.torque_rate, model.nv());
  if (!(limits.tip_speed > 0.0)) throw InputError("the limit of the tip's speed must be positive");
  if (!(limits.tip_force > 0.0)) throw InputError("the limit of the force at the tip must be positive");
  if (std::isfinite(limits.tip_force)) {
    if (!(limits.tip_mass > 0.0) || !std::isfinite(limits.tip_mass))
      throw InputError("a limit of the force at the tip needs the mass that the tip carries (tip_mass), in kg");
    if (!std::isfinite(norm(limits.tip_com)))
      throw InputError("the centre of the mass that the tip carries (tip_com) must be finite numbers, in m");
    expect_no_tip_force_with(has_third_order(limits) ? "limits of jerk and torque rate" : nullptr, limits);
  }
  if (options.intervals < 2) throw InputError("a timing needs two intervals at least");
}

}  // namespace

TimingLimits timing_limits(const Model& model) {
  TimingLimits limits;
  for (int k = 0; k < model.nv(); ++k) {
    const Limits& own = model.joint_of(k).limits;
    limits.velocity.push_back(own.velocity);
    limits.torque.push_back(own.effort);
    limits.acceleration.push_back(infinite);
  }
  return limits;
}

Timing::Place Timing::at(double t, double inside) const {
  const std::size_t last = acceleration.size() - 1;
  if (!(inside >= 0.0)) return {s.front(), 0.0, 0.0, 0};
  if (inside > times.back()) return {s.back(), 0.0, 0.0, last};
  const auto after = std::upper_bound(times.begin(), times.end(), inside) - times.begin();
  const std::size_t k = std::min(static_cast<std::size_t>(after) - 1, last);
  const double u = acceleration[k], since = t - times[k], rate = jerk.empty() ? 0.0 : jerk[k];
  return {std::min(s[k] + since * (speed[k] + since * (0.5 * u + since * rate / 6.0)), s[k + 1]),
          std::max(speed[k] + since * (u + 0.5 * since * rate), 0.0), u + since * rate, k};
}

struct [[gnu::visibility("hidden")]] FastestTiming::Implementation {
  Implementation(const Model& m, TimingLimits l, const TimingOptions& o)
      : model(m), limits(std::move(l)), options(o), n(static_cast<std::size_t>(m.nv())), workspace(m), kinematics(m) {
    for (auto* list : {&limits.power, &limits.jerk, &limits.torque_rate})
      if (list->empty()) list->assign(n, infinite);
    expect_good(model, limits, options);
    for (FourStates* pack : {&q, &zero, &first, &second, &tau, &rest}) pack->assign(n, PackDouble(0.0));
    one.resize(3 * n);
    for (std::size_t j = 0; j < n; ++j) {
      const Limits& own = model.joint_of(static_cast<int>(j)).limits;
      const Lever lever{{j}, {1.0}, {1.0}};
      if (std::isfinite(limits.torque[j])) limited.push_back({j, Limited::torque, lever, limits.torque[j]});
      if (std::isfinite(limits.acceleration[j]))
        limited.push_back({j, Limited::acceleration, lever, limits.acceleration[j]});
      if (std::isfinite(limits.power[j])) limited.push_back({j, Limited::power, lever, limits.power[j]});
      // Limits that were given in place of the robot's own are all that holds.
      if (limits.torque[j] == own.effort) add_fading(j, own, lever);
    }
    for (const Coupling& coupling : model.couplings()) add_motors(coupling);
    needs_tangents = std::any_of(limited.begin(), limited.end(), [](const Limited& row) {
      return row.what == Limited::power || row.what == Limited::fading;
    });
  }

  /// What turns with joints: a joint itself, or a motor that several share.
  struct Lever {
    std::vector<std::size_t> joints;
    std::vector<double> gears, shares;  // its speed is Σ gears q̇, its torque Σ shares τ

    template <class Numbers>
    double speed(const Numbers& slopes) const {
      return sum(gears, slopes);
    }
    template <class Numbers>
    double torque(const Numbers& torques) const {
      return sum(shares, torques);
    }

   private:
    template <class Numbers>
    double sum(const std::vector<double>& weights, const Numbers& numbers) const {
      double total = 0.0;
      for (std::size_t k = 0; k < joints.size(); ++k) total += weights[k] * numbers(joints[k]);
      return total;
    }
  };

  /// A row of each point, in parts of the limit. That of power is τ q̇ / ṡ, which ṡ⁻¹ = x^−½ bounds. A fading one is the
  /// torque with the motion, in parts of what a line of effort_by_speed.hpp has at rest: at speed ṡ that is bounded by
  /// 1 − fall q̇.
  struct Limited {
    std::size_t joint;
    enum What { torque, acceleration, power, fading } what;
    Lever lever;
    double limit;
    EffortLine line{};
    std::string motor{};  // of a coupling: its name for people
    const Limits* of = nullptr;
  };

  void add_fading(std::size_t joint, const Limits& own, const Lever& lever, const std::string& motor = "") {
    for (std::size_t k = 0; k < effort_line_count(own); ++k) {
      const EffortLine line = effort_line(own, k);
      if (line.slope > 0.0) limited.push_back({joint, Limited::fading, lever, line.at_rest, line, motor, &own});
    }
  }
  void add_motors(const Coupling& coupling) {
    for (std::size_t m = 0; m < coupling.motors.size(); ++m) {
      const CoupledMotor& motor = coupling.motors[m];
      const Lever lever{{coupling.v.begin(), coupling.v.end()}, motor.gears, motor.shares};
      const std::string name = fmt::format("motor {} of '{}'", m + 1, coupling.name);
      motors.push_back({lever, motor.limits.velocity});
      if (std::isfinite(motor.limits.effort))
        limited.push_back({lever.joints[0], Limited::torque, lever, motor.limits.effort, {}, name});
      add_fading(lever.joints[0], motor.limits, lever, name);
    }
  }

  Timing run(const Path& path);
  void make_grid(const Path& path, Timing& timing);
  void evaluate(const Path& path);
  void limit_tip(const Path& path);
  void add_force_rows(std::size_t point, double ahead);
  void evaluate_four(const Path& path, std::size_t from);
  void load_four(const Path& path, std::size_t from);
  void add_four(std::vector<double> & to, std::size_t from, const FourStates& torque, const FourStates& minus,
                const FourStates& way);
  void set_rows(std::size_t interval, const Timing& timing);
  static double part_of(const Limited& row, double torque, double slope);
  void limit_speed(std::size_t point, double slope, double limit);
  double fall_at(const Limited& row, std::size_t point) const;
  bool bounds_at(const Limited& row, std::size_t point, double speed) const;
  void add_rows(std::size_t point, double ahead);
  void add_row(double a, double b, double c, int limit);
  void add_one_sided_row(double a, double b, double c, int limit);
  void pass_at_any_speed(int limit);
  bool pass_backward(Timing & timing);
  void pass_forward(Timing & timing);
  std::string reason_of(const SpeedWindow& window) const;
  std::string name_of(int limit) const;
  bool solve(Timing & timing);
  void set_friction(const std::vector<double>& smooth);
  void set_first_tangents();
  void set_tangents();
  bool solve_by_rounds(Timing & timing);
  void set_times(Timing & timing) const;

  const Model& model;
  TimingLimits limits;
  TimingOptions options;
  std::size_t n;
  newton_euler::Workspace<PackDouble> workspace;
  Kinematics<double> kinematics;
  FourStates q, zero, first, second, tau, rest;
  struct Motor {
    Lever lever;
    double velocity;
  };
  std::vector<Motor> motors;  // that joints share
  std::vector<Limited> limited;

  std::vector<GridPoint> points;
  std::vector<std::size_t> left, right, rests;  // of intervals: points; of ends: whether the motion rests
  std::vector<double> a, b, c, rate;            // rows of points; q′ of points
  std::vector<double> most;                     // x of points, by the limits of velocity
  std::vector<double> low, high;                // x from which the end can be reached, by end
  std::vector<double> x;                        // by end
  std::vector<ForceDisc> discs;                 // of points, where the force at the tip is limited
  std::vector<double> tangent_at;               // x of points, for limits with tangents; infinite: none
  bool needs_tangents = false;
  std::vector<double> one;           // position and derivatives at one point
  std::vector<SpeedRow> rows;        // of one interval
  double x_low = 0.0, x_high = 0.0;  // bounds of x by rows without u
  int passed = no_row;               // one that no x keeps
  static constexpr int end_row = -1, force_row = -2, no_row = -3, halvings = 8;
  static constexpr int intervals_of_second_order = 4;  // for one of third order, whose motions are smoother
};

/// Every piece has its share of the intervals. Next to a rest they are halved again and again: there the speed grows as
/// the root of the way, and friction changes most.
void FastestTiming::Implementation::make_grid(const Path& path, Timing& timing) {
  points.clear();
  left.clear();
  right.clear();
  rests.assign(1, 1);
  timing.s.assign(1, 0.0);
  timing.piece.clear();
  for (std::size_t piece = 0; piece < path.piece_count(); ++piece) {
    const double from = path.ends()[piece], to = path.ends()[piece + 1];
    const int count = std::max(2, static_cast<int>(std::ceil(options.intervals * (to - from) / path.length())));
    const bool starts = rests.back() != 0, stops = piece + 1 == path.piece_count() || path.rests(piece + 1);
    const double length = (to - from) / count;
    points.push_back({from, piece});
    const auto add = [&](double s, bool stands) {
      left.push_back(points.size() - 1);
      points.push_back({s, piece});
      right.push_back(points.size() - 1);
      timing.s.push_back(s);
      timing.piece.push_back(piece);
      rests.push_back(stands ? 1 : 0);
    };
    if (starts)
      for (int k = halvings; k > 0; --k) add(from + std::ldexp(length, -k), false);
    for (int k = 1; k < count; ++k) add(from + length * k, false);
    if (stops)
      for (int k = 1; k <= halvings; ++k) add(to - std::ldexp(length, -k), false);
    add(to, stops);
  }
}

/// Position and derivatives of four points; the last one stands in for those that lack.
void FastestTiming::Implementation::load_four(const Path& path, std::size_t from) {
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const GridPoint& point = points[std::min(from + lane, points.size() - 1)];
    const std::span<double> all(one);
    path.at(point.s, point.piece, all.first(n), all.subspan(n, n), all.last(n));
    for (std::size_t j = 0; j < n; ++j) {
      const int l = static_cast<int>(lane);
      q[j].set(l, one[j]);
      first[j].set(l, one[n + j]);
      second[j].set(l, one[2 * n + j]);
    }
  }
}

/// Adds to coefficients of four points what torque − minus, or of acceleration `way`, is in parts of the limits.
void FastestTiming::Implementation::add_four(std::vector<double>& to, std::size_t from, const FourStates& torque,
                                             const FourStates& minus, const FourStates& way) {
  for (std::size_t lane = 0; lane < lanes && from + lane < points.size(); ++lane) {
    const int l = static_cast<int>(lane);
    const auto force = [&](std::size_t j) { return torque[j][l] - minus[j][l]; };
    const auto slope = [&](std::size_t j) { return first[j][l]; };
    for (std::size_t r = 0; r < limited.size(); ++r) {
      const Limited& row = limited[r];
      double& sum = to[(from + lane) * limited.size() + r];
      if (row.what == Limited::acceleration)
        sum += way[row.joint][l] / row.limit;
      else
        sum += part_of(row, row.lever.torque(force), row.lever.speed(slope));
    }
  }
}

/// A torque in parts of a row's limit, where the lever moves at this slope along the path.
double FastestTiming::Implementation::part_of(const Limited& row, double torque, double slope) {
  switch (row.what) {
    case Limited::power: return torque * std::abs(slope) / row.limit;
    case Limited::fading: return (slope < 0.0 ? -torque : torque) / row.limit;
    default: return torque / row.limit;
  }
}

void FastestTiming::Implementation::evaluate_four(const Path& path, std::size_t from) {
  load_four(path, from);
  newton_euler::inverse_dynamics<PackDouble>(model, workspace, q, zero, zero, rest);
  add_four(c, from, rest, zero, zero);
  newton_euler::inverse_dynamics<PackDouble>(model, workspace, q, zero, first, tau);
  add_four(a, from, tau, rest, first);
  newton_euler::inverse_dynamics<PackDouble>(model, workspace, q, zero, second, tau);
  add_four(b, from, tau, rest, second);
  newton_euler::coriolis_force<PackDouble>(model, workspace, q, first, tau);
  add_four(b, from, tau, zero, zero);
  for (std::size_t lane = 0; lane < lanes && from + lane < points.size(); ++lane) {
    for (std::size_t j = 0; j < n; ++j) {
      const double slope = first[j][static_cast<int>(lane)];
      rate[(from + lane) * n + j] = slope;
      limit_speed(from + lane, slope, limits.velocity[j]);
    }
    const auto slope = [&](std::size_t j) { return first[j][static_cast<int>(lane)]; };
    for (const Motor& motor : motors) limit_speed(from + lane, motor.lever.speed(slope), motor.velocity);
  }
}

/// Of something that moves at this slope along the path.
void FastestTiming::Implementation::limit_speed(std::size_t point, double slope, double limit) {
  const double speed = std::abs(slope) > 0.0 ? limit / std::abs(slope) : infinite;
  most[point] = std::min(most[point], speed * speed);
}

void FastestTiming::Implementation::evaluate(const Path& path) {
  for (auto* coefficient : {&a, &b, &c}) coefficient->assign(points.size() * limited.size(), 0.0);
  rate.assign(points.size() * n, 0.0);
  most.assign(points.size(), infinite);
  tangent_at.assign(points.size(), infinite);
  for (std::size_t k = 0; k < points.size(); k += 4) evaluate_four(path, k);
  discs.clear();
  if (std::isfinite(limits.tip_speed) || std::isfinite(limits.tip_force)) limit_tip(path);
}

/// The tip moves at ṡ times its speed at the rates q′, and what it carries takes m (a − g).
void FastestTiming::Implementation::limit_tip(const Path& path) {
  const std::span<double> here(&one[0], n), slope(&one[n], n), curve(&one[2 * n], n);
  Frame load = model.tip();
  load.pose.p = load.pose * limits.tip_com;
  for (std::size_t k = 0; k < points.size(); ++k) {
    path.at(points[k].s, points[k].piece, here, slope, curve);
    kinematics.update_positions(here);
    kinematics.update_velocities(slope);
    const double speed = norm(kinematics.velocity(model.tip(), Reference::world_axes).linear);
    if (speed > 0.0 && std::isfinite(limits.tip_speed))
      most[k] = std::min(most[k], limits.tip_speed * limits.tip_speed / (speed * speed));
    if (!std::isfinite(limits.tip_force)) continue;
    kinematics.update_accelerations(slope, curve);
    const Vec3<double> along = kinematics.velocity(load, Reference::world_axes).linear;
    const Vec3<double> bend = kinematics.acceleration(load, Reference::world_axes).linear;
    const double part = limits.tip_mass / limits.tip_force;
    discs.push_back(ForceDisc::of(part * along, part * bend, -part * model.gravity()));
  }
}

/// As add_rows().
void FastestTiming::Implementation::add_force_rows(std::size_t point, double ahead) {
  if (!(discs[point].radius > 0.0)) return pass_at_any_speed(force_row);
  for (int pair = 0; pair < ForceDisc::pairs; ++pair) {
    const ForceDisc::Row row = discs[point].row(pair);
    add_row(row.of_u + 2.0 * ahead * row.of_x, row.of_x, row.constant, force_row);
  }
}

void FastestTiming::Implementation::add_row(double of_u, double of_x, double constant, int limit) {
  if (std::abs(of_u) > 1e-12) {
    const double middle = -constant / of_u, half = 1.0 / std::abs(of_u);
    return rows.push_back({-of_x / of_u, middle - half, middle + half, limit});
  }
  // A joint without inertia along the path: it bounds x alone.
  if (std::abs(of_x) < 1e-12) {
    if (std::abs(constant) > 1.0) pass_at_any_speed(limit);
    return;
  }
  const double p = (1.0 - constant) / of_x, m = (-1.0 - constant) / of_x;
  x_high = std::min(x_high, std::max(p, m));
  x_low = std::max(x_low, std::min(p, m));
}

/// a u + b x + c ≤ 0.
void FastestTiming::Implementation::add_one_sided_row(double of_u, double of_x, double constant, int limit) {
  if (of_u > 1e-12) return rows.push_back({-of_x / of_u, -infinite, -constant / of_u, limit});
  if (of_u < -1e-12) return rows.push_back({-of_x / of_u, -constant / of_u, infinite, limit});
  if (of_x > 1e-12) x_high = std::min(x_high, -constant / of_x);
  if (of_x < -1e-12) x_low = std::max(x_low, -constant / of_x);
  if (std::abs(of_x) <= 1e-12 && constant > 0.0) pass_at_any_speed(limit);
}

void FastestTiming::Implementation::pass_at_any_speed(int limit) {
  x_high = -1.0;
  passed = limit;
}

/// The rows of a point that is `ahead` of where x is: there ṡ² is x + 2 u ahead. For power x^−½ is replaced by its
/// tangent, which lies below it; for efforts that fall with the speed √x by its own, which lies above it.
void FastestTiming::Implementation::add_rows(std::size_t point, double ahead) {
  for (std::size_t r = 0; r < limited.size(); ++r) {
    const std::size_t k = point * limited.size() + r;
    const int limit = static_cast<int>(r);
    const double at = tangent_at[point];
    if (limited[r].what == Limited::torque || limited[r].what == Limited::acceleration) {
      add_row(a[k] + 2.0 * ahead * b[k], b[k], c[k], limit);
    } else if (!(at > 0.0) || !std::isfinite(at)) {
      continue;
    } else if (limited[r].what == Limited::power) {
      const double most_power = 1.5 / std::sqrt(at), fall = 0.5 / (at * std::sqrt(at));
      add_one_sided_row(a[k] + 2.0 * ahead * (b[k] + fall), b[k] + fall, c[k] - most_power, limit);
      add_one_sided_row(-a[k] + 2.0 * ahead * (fall - b[k]), fall - b[k], -c[k] - most_power, limit);
    } else if (const double fall = fall_at(limited[r], point); bounds_at(limited[r], point, std::sqrt(at))) {
      const double of_x = b[k] + 0.5 * fall / std::sqrt(at);
      add_one_sided_row(a[k] + 2.0 * ahead * of_x, of_x, c[k] + 0.5 * fall * std::sqrt(at) - 1.0, limit);
    }
  }
}

/// By how much a fading limit falls with ṡ, in parts of what it is at rest.
double FastestTiming::Implementation::fall_at(const Limited& row, std::size_t point) const {
  const auto slope = [&](std::size_t j) { return rate[point * n + j]; };
  return row.line.slope * std::abs(row.lever.speed(slope)) / row.line.at_rest;
}

/// Of the lines of an effort, those that are not below it at this ṡ: the least of them is never above it, wherever it
/// bends.
bool FastestTiming::Implementation::bounds_at(const Limited& row, std::size_t point, double speed) const {
  const auto slope = [&](std::size_t j) { return rate[point * n + j]; };
  const double moves = std::abs(row.lever.speed(slope)) * speed;
  const auto effort = [&](const EffortLine& line) { return line.at_rest - line.slope * moves; };
  const double rounding = 1e-9 * row.line.at_rest;
  return effort(row.line) >= effort(effort_line_at(*row.of, moves)) - rounding;
}

void FastestTiming::Implementation::set_rows(std::size_t interval, const Timing& timing) {
  const double length = timing.s[interval + 1] - timing.s[interval];
  rows.clear();
  passed = no_row;
  x_low = 0.0;
  x_high = std::min(most[left[interval]], 1e12);
  add_rows(left[interval], 0.0);
  add_rows(right[interval], length);
  if (!discs.empty()) {
    add_force_rows(left[interval], 0.0);
    add_force_rows(right[interval], length);
  }
  // What the next interval can go on from.
  rows.push_back({-0.5 / length, 0.5 * low[interval + 1] / length, 0.5 * high[interval + 1] / length, end_row});
}

std::string FastestTiming::Implementation::name_of(int limit) const {
  if (limit == end_row) return "what lies ahead";
  if (limit == force_row) return "the force at the tip";
  const Limited& row = limited[static_cast<std::size_t>(limit)];
  const char* what = std::array{"torque", "acceleration", "power", "torque at its speed"}[row.what];
  if (!row.motor.empty()) return fmt::format("the {} of {}", what, row.motor);
  return fmt::format("the {} of joint '{}'", what, model.joint_of(static_cast<int>(row.joint)).name);
}

std::string FastestTiming::Implementation::reason_of(const SpeedWindow& window) const {
  if (window.lower == nullptr || window.upper == nullptr)
    return fmt::format("{} is passed at any speed", passed == no_row ? "a limit" : name_of(passed));
  const std::string below = name_of(window.lower->limit), above = name_of(window.upper->limit);
  return below == above ? below + " is too small" : below + " and " + above + " leave no acceleration";
}

/// From where the end can be reached: the interval of x at each end of an interval, from the last one to the first.
bool FastestTiming::Implementation::pass_backward(Timing& timing) {
  const std::size_t count = left.size();
  low.assign(count + 1, 0.0);
  high.assign(count + 1, 0.0);
  for (std::size_t k = count; k-- > 0;) {
    set_rows(k, timing);
    if (rests[k] != 0) x_high = std::min(x_high, 0.0);
    if (k > 0) x_high = std::min(x_high, most[right[k - 1]]);
    SpeedWindow window{};
    high[k] = x_high < x_low ? std::numeric_limits<double>::quiet_NaN()
                             : highest_open(rows, x_low, x_high, std::max(2.0 * high[k + 1], 1e-9), window);
    low[k] = std::isnan(high[k]) ? high[k] : nearest_open(rows, x_low, high[k], window);
    if (std::isnan(low[k])) low[k] = high[k];
    if (!std::isnan(high[k])) continue;
    timing.reason = reason_of(window);
    timing.blocked_at = timing.s[k];
    return false;
  }
  return true;
}

/// As fast as can be while that holds.
void FastestTiming::Implementation::pass_forward(Timing& timing) {
  const std::size_t count = left.size();
  x.assign(count + 1, 0.0);
  timing.acceleration.assign(count, 0.0);
  for (std::size_t k = 0; k < count; ++k) {
    set_rows(k, timing);
    const double length = timing.s[k + 1] - timing.s[k];
    const SpeedWindow window = window_at(rows, x[k]);
    x[k + 1] = std::clamp(x[k] + 2.0 * length * window.high, low[k + 1], high[k + 1]);
    timing.acceleration[k] = (x[k + 1] - x[k]) / (2.0 * length);
  }
}

bool FastestTiming::Implementation::solve(Timing& timing) {
  if (!pass_backward(timing)) return false;
  pass_forward(timing);
  return true;
}

/// Friction at the speeds of the last round, on top of what does not rub.
void FastestTiming::Implementation::set_friction(const std::vector<double>& smooth) {
  std::vector<double> v(n), forces(n);
  const auto set = [&](std::size_t point, double speed) {
    for (std::size_t j = 0; j < n; ++j) {
      v[j] = rate[point * n + j] * speed;
      forces[j] = friction(model, j, v[j]);
    }
    add_coupled_friction<double>(model, v, 1.0, forces);
    const auto force = [&](std::size_t j) { return forces[j]; };
    const auto slope = [&](std::size_t j) { return rate[point * n + j]; };
    for (std::size_t r = 0; r < limited.size(); ++r) {
      const Limited& row = limited[r];
      const std::size_t at = point * limited.size() + r;
      if (row.what == Limited::acceleration) continue;
      c[at] = smooth[at] + part_of(row, row.lever.torque(force), row.lever.speed(slope));
    }
  };
  for (std::size_t k = 0; k < left.size(); ++k) {
    set(left[k], std::sqrt(x[k]));
    set(right[k], std::sqrt(x[k + 1]));
  }
}

/// Where the tangents of limits touch them, at first: not faster than without them, and so slow that what holds the arm
/// still is below them.
void FastestTiming::Implementation::set_first_tangents() {
  set_tangents();
  for (std::size_t point = 0; point < points.size(); ++point) {
    for (std::size_t r = 0; r < limited.size(); ++r) {
      const double weight = c[point * limited.size() + r];
      if (limited[r].what == Limited::power && weight != 0.0)
        tangent_at[point] = std::min(tangent_at[point], 1.0 / (weight * weight));
      if (limited[r].what != Limited::fading) continue;
      const double root = std::max(1.0 - weight, 0.0) / std::max(fall_at(limited[r], point), 1e-300);
      tangent_at[point] = std::min(tangent_at[point], root * root);
    }
  }
}

/// Then at the speeds of the last round.
void FastestTiming::Implementation::set_tangents() {
  for (std::size_t k = 0; k < left.size(); ++k) {
    tangent_at[left[k]] = x[k];
    tangent_at[right[k]] = x[k + 1];
  }
}

/// What depends on the speed itself is taken from the round before, until that changes nothing. With tangents each
/// round is within the limits and the next can only be faster: the one before is among what it may do.
bool FastestTiming::Implementation::solve_by_rounds(Timing& timing) {
  constexpr int most_rounds = 200;
  constexpr double settled = 1e-9, usable = 1e-4;  // changes, in parts of the largest ṡ²
  const std::vector<double> smooth = c;
  double change = infinite;
  for (int round = 0; round < most_rounds && change > settled; ++round) {
    const std::vector<double> old = x;
    set_friction(smooth);
    if (needs_tangents) round == 0 ? set_first_tangents() : set_tangents();
    if (!solve(timing)) return false;
    double largest = 0.0;
    change = 0.0;
    for (std::size_t k = 0; k < x.size(); ++k) {
      largest = std::max(largest, x[k]);
      change = std::max(change, std::abs(x[k] - old[k]));
    }
    change /= largest;
  }
  if (change <= usable) return true;
  timing.reason = "the speeds do not settle, because friction depends on them; change the limits a little";
  return false;
}

/// Times of the ends of the intervals, in each of which s̈ is constant.
void FastestTiming::Implementation::set_times(Timing& timing) const {
  timing.times.assign(1, 0.0);
  for (const double square : x) timing.speed.push_back(std::sqrt(square));
  for (const double square : high) timing.limit.push_back(std::sqrt(square));
  for (std::size_t k = 0; k < left.size(); ++k) {
    const double mean = 0.5 * (timing.speed[k] + timing.speed[k + 1]);
    if (!(mean > 0.0)) {
      timing.reason = "the motion comes to rest and cannot go on";
      timing.blocked_at = timing.s[k];
      return;
    }
    timing.times.push_back(timing.times.back() + (timing.s[k + 1] - timing.s[k]) / mean);
  }
}

Timing FastestTiming::Implementation::run(const Path& path) {
  if (path.width() != n) throw InputError(fmt::format("the path is of {} joints, the robot has {}", path.width(), n));
  if (limited.empty() && !has_third_order(limits))
    throw InputError("nothing limits the motion but speed; give limits of torque or acceleration");
  Timing timing;
  make_grid(path, timing);
  evaluate(path);
  const auto is_there = [](double f) { return f != 0.0; };
  bool rubs = std::any_of(model.viscous().begin(), model.viscous().end(), is_there) ||
              std::any_of(model.coulomb().begin(), model.coulomb().end(), is_there);
  for (const Coupling& coupling : model.couplings())
    for (const CoupledMotor& motor : coupling.motors) rubs = rubs || motor.viscous != 0.0 || motor.coulomb != 0.0;
  bool possible = solve(timing);
  if (possible && (needs_tangents || rubs)) possible = solve_by_rounds(timing);
  if (possible) set_times(timing);
  if (possible && timing.possible() && has_third_order(limits))
    limit_rates(model, path, limits, options.intervals / intervals_of_second_order, timing);
  return timing;
}

FastestTiming::FastestTiming(const Model& model, TimingLimits limits, const TimingOptions& options)
    : implementation_(std::make_unique<Implementation>(model, std::move(limits), options)) {}
FastestTiming::FastestTiming(FastestTiming&&) noexcept = default;
FastestTiming& FastestTiming::operator=(FastestTiming&&) noexcept = default;
FastestTiming::~FastestTiming() = default;

Timing FastestTiming::operator()(const Path& path) { return implementation_->run(path); }

Timing fastest_timing(const Model& model, const Path& path, TimingLimits limits, const TimingOptions& options) {
  return FastestTiming(model, std::move(limits), options)(path);
}

}  // namespace ulna
