#include "third_order_timing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "path_moments.hpp"
#include "ulna/base/error.hpp"
#include "ulna/model/effort_by_speed.hpp"

namespace ulna {

namespace {

/// No motion of limited jerk passes a place where the path's second derivative jumps, unless it rests there.
void expect_smooth(const Path& path) {
  constexpr double rounding = 1e-6;
  const std::size_t n = path.width();
  std::vector<double> q(n), first(n), before(n), after(n);
  for (std::size_t k = 1; k < path.piece_count(); ++k) {
    if (path.rests(k)) continue;
    path.at(path.ends()[k], k - 1, q, first, before);
    path.at(path.ends()[k], k, q, first, after);
    for (std::size_t j = 0; j < n; ++j) {
      const double size = 1.0 / path.length() + std::abs(before[j]) + std::abs(after[j]);
      if (std::abs(after[j] - before[j]) <= rounding * size) continue;
      throw InputError(
          "limits of jerk and torque rate need a path without jumps of its second derivative; cut corners have such: "
          "use a spline, or rests");
    }
  }
}

/// s, ṡ, s̈ and s⃛ after a time in which the last is constant.
std::array<double, 4> later(const std::array<double, 4>& x, double t) {
  return {x[0] + t * (x[1] + t * (0.5 * x[2] + t * x[3] / 6.0)), x[1] + t * (x[2] + 0.5 * t * x[3]), x[2] + t * x[3],
          x[3]};
}

/// When s is reached within an interval; s rises.
double time_at(const std::array<double, 4>& x, double s, double interval) {
  double low = 0.0, high = interval;
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    (later(x, middle)[0] < s ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

class ThirdOrderTiming {
 public:
  ThirdOrderTiming(const Model& model, const Path& path, const TimingLimits& limits, const Timing& second_order)
      : model_(model), path_(path), limits_(limits), before_(second_order) {
    result_.s.push_back(0.0);
    result_.speed.push_back(0.0);
    result_.times.push_back(0.0);
  }

  /// From one rest to the next. False: nothing was found.
  bool add(double begin, double end, std::size_t intervals) {
    constexpr std::size_t cells_of_interval = 8;  // so that what the splines round off is within one interval
    PathMoments moments(model_, path_, limits_, begin, end, cells_of_interval * intervals);
    BSplineMotion motion{.degree = 3, .width = 1, .intervals = intervals};
    SplineProgram program(moments, motion, {begin}, {end});
    motion.set_way([&](double share, std::span<double> s) { s[0] = begin + share * (end - begin); });
    if (!program.slow_down(motion, 1.2 * (time_before(end) - time_before(begin)))) {
      result_.reason = "no motion within the limits of jerk and torque rate was found";
      result_.blocked_at = begin;
      return false;
    }
    program.minimise(motion, true);
    program.keep_between(motion);
    for (std::size_t k = 0; k < intervals; ++k) add_interval(motion, k);
    result_.s.back() = end;
    result_.speed.back() = 0.0;
    return true;
  }

  Timing finish() {
    for (const double s : result_.s) result_.limit.push_back(limit_at(s));
    return std::move(result_);
  }

 private:
  double time_before(double s) const {
    const auto at = std::lower_bound(before_.s.begin(), before_.s.end(), s - 1e-12 * path_.length());
    return before_.times[static_cast<std::size_t>(at - before_.s.begin())];
  }
  /// What the limits of second order allow, between the ends of their intervals.
  double limit_at(double s) const {
    const auto at = std::upper_bound(before_.s.begin(), before_.s.end() - 1, s);
    const auto k = static_cast<std::size_t>(std::max<std::ptrdiff_t>(at - before_.s.begin(), 1));
    const double share = (s - before_.s[k - 1]) / (before_.s[k] - before_.s[k - 1]);
    return before_.limit[k - 1] + share * (before_.limit[k] - before_.limit[k - 1]);
  }

  /// In pieces where it passes ends of the path's.
  void add_interval(const BSplineMotion& motion, std::size_t k) {
    std::array<double, 4> x{};
    motion.at_end(k, false, x);
    double left = motion.step();
    while (piece_ + 1 < path_.piece_count() && later(x, left)[0] > path_.ends()[piece_ + 1]) {
      const double t = time_at(x, path_.ends()[piece_ + 1], left);
      push(x, t);
      x = later(x, t);
      left -= t;
      ++piece_;
    }
    push(x, left);
  }
  void push(const std::array<double, 4>& x, double t) {
    const std::array<double, 4> end = later(x, t);
    result_.acceleration.push_back(x[2]);
    result_.jerk.push_back(x[3]);
    result_.piece.push_back(piece_);
    result_.s.push_back(end[0]);
    result_.speed.push_back(end[1]);
    result_.times.push_back(result_.times.back() + t);
  }

  const Model& model_;
  const Path& path_;
  const TimingLimits& limits_;
  const Timing& before_;
  Timing result_;
  std::size_t piece_ = 0;
};

}  // namespace

void expect_no_tip_force_with(const char* other, const TimingLimits& limits) {
  if (other != nullptr && std::isfinite(limits.tip_force))
    throw InputError(fmt::format("a limit of the force at the tip is not supported together with {}", other));
}

bool has_limit(const std::vector<double>& limits) {
  return std::any_of(limits.begin(), limits.end(), [](double limit) { return std::isfinite(limit); });
}

bool has_third_order(const TimingLimits& limits) { return has_limit(limits.jerk) || has_limit(limits.torque_rate); }

void expect_plain_motors(const Model& model, const TimingLimits& limits) {
  bool is_plain = model.couplings().empty();
  for (std::size_t j = 0; j < limits.torque.size(); ++j) {
    const Limits& own = model.joint_of(static_cast<int>(j)).limits;
    for (std::size_t k = 0; k < effort_line_count(own) && limits.torque[j] == own.effort; ++k)
      is_plain = is_plain && !(effort_line(own, k).slope > 0.0);
  }
  if (is_plain) return;
  throw InputError(
      "torques that fall with the speed and motors that joints share are limits of a given path's timing, without jerk "
      "and torque rate; give limits of effort of your own");
}

void limit_rates(const Model& model, const Path& path, const TimingLimits& limits, int intervals, Timing& timing) {
  constexpr double least_intervals = 64.0;
  expect_plain_motors(model, limits);
  expect_smooth(path);
  ThirdOrderTiming third(model, path, limits, timing);
  double begin = 0.0;
  for (std::size_t k = 1; k <= path.piece_count(); ++k) {
    if (k < path.piece_count() && !path.rests(k)) continue;
    const double end = path.ends()[k], share = (end - begin) / path.length();
    const auto count = static_cast<std::size_t>(std::max(least_intervals, std::ceil(intervals * share)));
    if (!third.add(begin, end, count)) break;
    begin = end;
  }
  timing = third.finish();
}

}  // namespace ulna
