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

/// What the joints do at a place of the path.
void set_state(const Path& path, std::size_t piece, const Timing::Place& place, std::span<double> q,
               std::span<double> v, std::span<double> a) {
  path.at(place.s, piece, q, v, a);
  for (std::size_t j = 0; j < q.size(); ++j) {
    a[j] = v[j] * place.acceleration + a[j] * place.speed * place.speed;
    v[j] *= place.speed;
  }
}

class PathMotion final : public ReferenceMotion {
 public:
  PathMotion(Path path, Timing timing) : path_(std::move(path)), timing_(std::move(timing)) {
    if (!timing_.possible()) throw InputError("there is no such motion: " + timing_.reason);
  }
  void at(double t, double inside, std::span<double> q, std::span<double> v, std::span<double> a) const override {
    const Timing::Place place = timing_.at(t, inside);
    set_state(path_, timing_.piece[place.interval], place, q, v, a);
  }
  std::span<const double> breaks() const override { return timing_.times; }
  std::size_t size() const override { return path_.width(); }

 private:
  Path path_;
  Timing timing_;
};

}  // namespace

std::shared_ptr<const ReferenceMotion> make_reference(Path path, Timing timing) {
  return std::make_shared<PathMotion>(std::move(path), std::move(timing));
}

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
  for (std::size_t k = 0; k <= static_cast<std::size_t>(steps); ++k) {
    const double t = std::min(static_cast<double>(k) * every, timing.duration());
    const Timing::Place place = timing.at(t);
    motion.rows.resize(motion.rows.size() + motion.width);
    const std::span<double> row = std::span(motion.rows).last(motion.width);
    const auto q = row.subspan(1, n), v = row.subspan(1 + n, n), a = row.subspan(1 + 2 * n, n), tau = row.last(n);
    row[0] = t;
    set_state(path, timing.piece[place.interval], place, q, v, a);
    newton_euler::inverse_dynamics<double>(model, workspace, q, v, a, tau);
    raise_peaks(v, motion.peak_velocity);
    raise_peaks(a, motion.peak_acceleration);
    raise_peaks(tau, motion.peak_torque);
  }
  return motion;
}

}  // namespace ulna
