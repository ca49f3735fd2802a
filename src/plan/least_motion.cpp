#include "ulna/plan/least_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "joint_moments.hpp"
#include "model/beyond_its_limit.hpp"
#include "third_order_timing.hpp"
#include "ulna/base/error.hpp"
#include "ulna/model/random_state.hpp"
#include "ulna/plan/timed_motion.hpp"

namespace ulna {

namespace {

constexpr int most_finer = 4;  // times the intervals that were asked for
constexpr double infinity = std::numeric_limits<double>::infinity();

class LeastMotionSearch {
 public:
  LeastMotionSearch(const Model& model, VectorIn<double> from, VectorIn<double> to, const TimingLimits& limits,
                    const LeastMotionOptions& options)
      : model_(model),
        from_(from.begin(), from.end()),
        to_(to.begin(), to.end()),
        motion_{.degree = has_third_order(limits) ? std::size_t{3} : std::size_t{2},
                .width = from_.size(),
                .intervals = static_cast<std::size_t>(options.intervals)},
        moments_(model, limits, options.least, motion_.degree),
        program_(moments_, motion_, bounds(false), bounds(true)) {}

  /// False: nothing was found, with the reason.
  bool run(const Timing& straight, const LeastMotionOptions& options, std::string& reason) {
    const bool least_time = options.least == LeastOf::time;
    if (!find_start(straight.duration() > 0.0 ? 1.2 * straight.duration() : 1.0)) {
      reason = straight.possible() ? "no start within the limits was found" : straight.reason;
      return false;
    }
    if (least_time || !stretch(options.duration)) {
      minimise(true);
      if (!least_time && !stretch(options.duration)) {
        reason = fmt::format("the least time that was found is {:.6g} s", motion_.duration);
        return false;
      }
    }
    if (!least_time) minimise(false);
    return true;
  }
  bool keeps_between() { return program_.most_between(motion_) <= 1.0 + SplineProgram::beyond; }
  void keep_between() { program_.keep_between(motion_); }
  double duration() const { return motion_.duration; }

  /// The length of the path is the time.
  Path path() const {
    std::vector<double> ends{0.0}, coefficients, x((motion_.degree + 1) * motion_.width);
    for (std::size_t k = 0; k < motion_.intervals; ++k) {
      ends.push_back(motion_.step() * static_cast<double>(k + 1));
      motion_.at_end(k, false, x);
      for (std::size_t j = 0; j < motion_.width; ++j) {
        const auto derivative = [&](std::size_t d) { return d <= motion_.degree ? x[d * motion_.width + j] : 0.0; };
        coefficients.insert(coefficients.end(),
                            {derivative(0), derivative(1), 0.5 * derivative(2), derivative(3) / 6.0});
      }
    }
    return Path::of_pieces(std::move(ends), std::move(coefficients), motion_.width);
  }

 private:
  /// Straight in the joints; where no speed allows that, by a detour. `duration`: a first guess.
  bool find_start(double duration) {
    constexpr int most_detours = 64;
    std::vector<double> middle(from_);
    for (std::size_t j = 0; j < middle.size(); ++j) middle[j] = 0.5 * (from_[j] + to_[j]);
    std::mt19937_64 generator(1);
    for (int k = 0; k <= most_detours; ++k) {
      const std::vector<double> detour = k == 0 ? middle : random_position(model_, generator);
      // along the parabola through the detour
      motion_.set_way([&](double share, std::span<double> q) {
        for (std::size_t j = 0; j < q.size(); ++j)
          q[j] = from_[j] + share * (to_[j] - from_[j]) + 4.0 * share * (1.0 - share) * (detour[j] - middle[j]);
      });
      if (program_.slow_down(motion_, duration)) return true;
    }
    return false;
  }
  void minimise(bool least_duration) {
    if (!least_duration) moments_.set_width(moments_of_motion());
    program_.minimise(motion_, least_duration);
  }
  /// The same way in another time. False: that is not within the limits.
  bool stretch(double duration) {
    constexpr double room = 1e-4;
    BSplineMotion other = motion_;
    other.duration = duration;
    if (!program_.is_inside(other, room)) return false;
    motion_ = other;
    return true;
  }
  /// Of the positions: control points within them keep all of the motion there.
  std::vector<double> bounds(bool upper) const {
    constexpr double rounding = 1e-7;  // a motion may begin and end at a limit
    const std::span<const double> limits = upper ? model_.upper_limits() : model_.lower_limits();
    std::vector<double> list(limits.begin(), limits.end());
    for (double& limit : list) limit += upper ? rounding : -rounding;
    return list;
  }
  std::vector<double> moments_of_motion() const {
    const std::size_t size = (motion_.degree + 1) * motion_.width;
    std::vector<double> x(2 * motion_.intervals * size);
    for (std::size_t m = 0; m < 2 * motion_.intervals; ++m)
      motion_.at_end(m / 2, m % 2 == 1, std::span(x).subspan(m * size, size));
    return x;
  }

  const Model& model_;
  std::vector<double> from_, to_;
  BSplineMotion motion_;
  JointMoments moments_;
  SplineProgram program_;
};

/// In even steps of the path's own length, which is the time.
Timing timing_of(const Path& path) {
  Timing timing;
  timing.s.assign(path.ends().begin(), path.ends().end());
  timing.times = timing.s;
  timing.speed.assign(timing.s.size(), 1.0);
  timing.acceleration.assign(path.piece_count(), 0.0);
  for (std::size_t k = 0; k < path.piece_count(); ++k) timing.piece.push_back(k);
  return timing;
}

/// What a motion costs, by the trapezoidal rule over its intervals.
void measure(const Model& model, LeastMotion& result) {
  const auto n = static_cast<std::size_t>(model.nv());
  const auto motion = make_reference(*result.path, result.timing);
  newton_euler::Workspace<double> workspace(model);
  std::vector<double> q(n), v(n), a(n), tau(n);
  const std::vector<double>& times = result.timing.times;
  for (std::size_t k = 0; k + 1 < times.size(); ++k) {
    for (const std::size_t end : {k, k + 1}) {
      motion->at(times[end], 0.5 * (times[k] + times[k + 1]), q, v, a);
      newton_euler::inverse_dynamics<double>(model, workspace, q, v, a, tau);
      const double weight = 0.5 * (times[k + 1] - times[k]);
      for (std::size_t j = 0; j < n; ++j) {
        result.torque_square += weight * tau[j] * tau[j];
        result.energy += weight * std::max(0.0, tau[j] * v[j]);
      }
    }
  }
}

void expect_points(const Model& model, VectorIn<double> from, VectorIn<double> to, const LeastMotionOptions& options) {
  constexpr double rounding = 1e-6;
  const auto n = static_cast<std::size_t>(model.nv());
  for (const auto& [word, q] : {std::pair{"start", from}, {"end", to}}) {
    if (q.size() != n)
      throw InputError(fmt::format("the {} has {} numbers; the robot has {} joints", word, q.size(), n));
    if (!std::all_of(q.begin(), q.end(), [](double x) { return std::isfinite(x); }))
      throw InputError(fmt::format("the {} has a number that is not finite", word));
    if (const std::string joint = beyond_its_limit(model, q, rounding); !joint.empty())
      throw InputError(fmt::format("the {} has {}", word, joint));
  }
  if (options.intervals < 8 || options.intervals > LeastMotionOptions::most_intervals)
    throw InputError(fmt::format("a motion from point to point has 8 to {} intervals of time, not {}",
                                 LeastMotionOptions::most_intervals, options.intervals));
  if (options.least == LeastOf::time && options.duration != 0.0)
    throw InputError("least time finds its own duration; leave it out, or ask for least torque or energy");
  if (options.least != LeastOf::time && !(options.duration > 0.0 && std::isfinite(options.duration)))
    throw InputError("least torque and energy need the time of the motion: a positive number of seconds");
}

}  // namespace

LeastMotion least_motion(const Model& model, VectorIn<double> from, VectorIn<double> to, TimingLimits limits,
                         const LeastMotionOptions& options) {
  FastestTiming fastest(model, limits);
  const bool least_time = options.least == LeastOf::time;
  expect_points(model, from, to, options);
  expect_plain_motors(model, limits);
  expect_no_tip_force_with("motions from point to point", limits);
  if (has_limit(limits.torque_rate))
    throw InputError("limits of torque rate are for given paths; from point to point limit the jerk");
  std::vector<double> ends(from.begin(), from.end());
  ends.insert(ends.end(), to.begin(), to.end());
  const Path straight = Path::straight(ends, from.size(), 0.0);
  const bool is_limited =
      has_limit(limits.torque) || has_limit(limits.acceleration) || has_limit(limits.power) || has_third_order(limits);
  const Timing direct = is_limited || least_time ? fastest(straight) : Timing{};
  LeastMotion result;
  result.straight = direct.possible() ? direct.duration() : infinity;
  std::optional<LeastMotionSearch> search;
  bool found = false, is_fine = false;
  for (int finer = 1; finer <= most_finer && !is_fine; finer *= 2) {
    LeastMotionOptions grid = options;
    grid.intervals *= finer;
    search.emplace(model, from, to, limits, grid);
    found = search->run(direct, grid, result.timing.reason);
    is_fine = !found || search->keeps_between();
  }
  if (!is_fine && least_time) search->keep_between();
  if (least_time && direct.possible() && !(found && search->duration() <= direct.duration())) {
    result.path = straight;
    result.timing = direct;
  } else if (found) {
    result.path = search->path();
    result.timing = timing_of(*result.path);
  }
  if (result.possible()) measure(model, result);
  return result;
}

}  // namespace ulna
