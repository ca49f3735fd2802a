#include "ulna/plan/timed_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
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

/// Rows of TimedMotion, one at a time.
class MotionRows {
 public:
  static constexpr std::size_t parts = 3;  // of an interval: its beginning, its middle and its end

  MotionRows(const Model& model, const Path& path, const Timing& timing)
      : model_(model), path_(path), timing_(timing), workspace_(model) {
    if (!timing.possible()) throw InputError("there is no such motion: " + timing.reason);
  }
  std::size_t width() const { return 1 + 4 * path_.width(); }

  /// `inside` as of Timing::at.
  void write(double t, double inside, std::span<double> row) {
    const std::size_t n = path_.width();
    const auto q = row.subspan(1, n), v = row.subspan(1 + n, n), a = row.subspan(1 + 2 * n, n), tau = row.last(n);
    const Timing::Place place = timing_.at(t, inside);
    row[0] = t;
    set_state(path_, timing_.piece[place.interval], place, q, v, a);
    newton_euler::inverse_dynamics<double>(model_, workspace_, q, v, a, tau);
  }
  void write_part(std::size_t interval, std::size_t part, std::span<double> row) {
    const double begin = timing_.times[interval], end = timing_.times[interval + 1], middle = 0.5 * (begin + end);
    write(std::array{begin, middle, end}[part], middle, row);
  }

 private:
  const Model& model_;
  const Path& path_;
  const Timing& timing_;
  newton_euler::Workspace<double> workspace_;
};

std::span<double> appended_row(TimedMotion& motion) {
  motion.rows.resize(motion.rows.size() + motion.width);
  return std::span(motion.rows).last(motion.width);
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
  MotionRows rows(model, path, timing);
  const double steps = std::ceil(timing.duration() / every * (1.0 - 1e-12));
  if (!(every > 0.0) || !(steps < most_rows))
    throw InputError(
        fmt::format("every {} s of {} s are no rows, or more than {}", every, timing.duration(), most_rows));
  TimedMotion motion{rows.width()};
  for (std::size_t k = 0; k <= static_cast<std::size_t>(steps); ++k) {
    const double t = std::min(static_cast<double>(k) * every, timing.duration());
    rows.write(t, t, appended_row(motion));
  }
  return motion;
}

TimedMotion motion_by_intervals(const Model& model, const Path& path, const Timing& timing) {
  constexpr std::size_t most_intervals = 2000;
  MotionRows rows(model, path, timing);
  TimedMotion motion{rows.width()};
  const std::size_t count = timing.acceleration.size(), step = (count + most_intervals - 1) / most_intervals;
  for (std::size_t k = 0; k < count; k += step)
    for (std::size_t part = 0; part < MotionRows::parts; ++part) rows.write_part(k, part, appended_row(motion));
  if ((count - 1) % step != 0) rows.write_part(count - 1, MotionRows::parts - 1, appended_row(motion));
  return motion;
}

MotionPeaks motion_peaks(const Model& model, const Path& path, const Timing& timing) {
  MotionRows rows(model, path, timing);
  const std::size_t n = path.width();
  const std::vector<double> none(n);
  MotionPeaks peaks{none, none, none};
  std::vector<double> row(rows.width());
  for (std::size_t k = 0; k < timing.acceleration.size(); ++k) {
    for (std::size_t part = 0; part < MotionRows::parts; ++part) {
      rows.write_part(k, part, row);
      raise_peaks(std::span(row).subspan(1 + n, n), peaks.velocity);
      raise_peaks(std::span(row).subspan(1 + 2 * n, n), peaks.acceleration);
      raise_peaks(std::span(row).last(n), peaks.torque);
    }
  }
  return peaks;
}

}  // namespace ulna
