#include "ulna/plan/timed_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ulna/base/error.hpp"
#include "ulna/dynamics/newton_euler/newton_euler.hpp"

namespace ulna {

namespace {

void raise_peaks(std::span<const double> values, std::vector<double>& peaks) {
  for (std::size_t j = 0; j < peaks.size(); ++j) peaks[j] = std::max(peaks[j], std::abs(values[j]));
}

}  // namespace

TimedMotion timed_motion(const Model& model, const Path& path, const Timing& timing, double every) {
  constexpr double most_rows = 1e7;
  if (!timing.possible()) throw InputError("there is no such motion: " + timing.reason);
  const double steps = std::ceil(timing.duration() / every * (1.0 - 1e-12));
  if (!(every > 0.0) || !(steps < most_rows))
    throw InputError(
        fmt::format("every {} s of {} s are no rows, or more than {}", every, timing.duration(), most_rows));
  const std::size_t n = path.width();
  const std::vector<double> none(n);
  TimedMotion motion{1 + 4 * n, {}, none, none, none};
  newton_euler::Workspace<double> workspace(model);
  std::vector<double> first(n), second(n);
  for (std::size_t k = 0; k <= static_cast<std::size_t>(steps); ++k) {
    const double t = std::min(static_cast<double>(k) * every, timing.duration());
    const Timing::Place place = timing.at(t);
    motion.rows.resize(motion.rows.size() + motion.width);
    const std::span<double> row = std::span(motion.rows).last(motion.width);
    const auto q = row.subspan(1, n), v = row.subspan(1 + n, n), a = row.subspan(1 + 2 * n, n), tau = row.last(n);
    row[0] = t;
    path.at(place.s, timing.piece[place.interval], q, first, second);
    for (std::size_t j = 0; j < n; ++j) {
      v[j] = first[j] * place.speed;
      a[j] = first[j] * place.acceleration + second[j] * place.speed * place.speed;
    }
    newton_euler::inverse_dynamics<double>(model, workspace, q, v, a, tau);
    raise_peaks(v, motion.peak_velocity);
    raise_peaks(a, motion.peak_acceleration);
    raise_peaks(tau, motion.peak_torque);
  }
  return motion;
}

}  // namespace ulna
