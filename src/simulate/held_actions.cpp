#include "ulna/simulate/held_actions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "ulna/base/error.hpp"
#include "ulna/simulate/random_numbers.hpp"

namespace ulna {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

/// The number of the period that t is in; a time within rounding of a beginning counts as there.
double period_of(double t, double every) { return std::floor(t / every * (1.0 + 4e-16) + 1e-9); }
double next_multiple(double t, double every) { return (period_of(t, every) + 1.0) * every; }

bool holds(double t, double from, double until) { return from <= t && t < until; }

/// A normal number that depends on nothing but its name: (seed, joint, period).
double noise_number(std::uint64_t seed, std::size_t which, double period) {
  std::mt19937_64 generator(seed ^ (0x9E3779B97F4A7C15ULL * (which + 1)) ^
                            (0xD1B54A32D192ED03ULL * static_cast<std::uint64_t>(period)));
  generator.discard(2);
  const std::uint64_t first = generator();
  return normal_number(first, generator());
}

void expect(bool good, const char* what) {
  if (!good) throw InputError(what);
}

}  // namespace

HeldActions::HeldActions(const Model& model, HeldSpec spec, Drive<double>* sampled)
    : spec_(std::move(spec)),
      sampled_(sampled),
      sample_(static_cast<std::size_t>(model.nv())),
      torque_(sample_.size()),
      disturbance_(spec_.pulses.empty() && spec_.noises.empty() ? 0 : torque_.size()) {
  const auto expect_torque = [&](int v_index, double size) {
    expect(v_index >= 0 && v_index < model.nv(), "a disturbance acts on a joint that this robot lacks");
    expect(std::isfinite(size), "a disturbance must be a finite number");
  };
  const auto expect_span = [](double from, double until) {
    expect(!std::isnan(from) && !std::isnan(until), "what begins or ends must do so at a time that is a number");
  };
  for (const TorquePulse& pulse : spec_.pulses) {
    expect_torque(pulse.v_index, pulse.torque);
    expect_span(pulse.from, pulse.until);
  }
  for (const TorqueNoise& noise : spec_.noises) {
    expect_torque(noise.v_index, noise.deviation);
    expect_span(noise.from, noise.until);
  }
  for (const LinkLoad& load : spec_.loads) {
    expect(load.body >= 0 && load.body < model.body_count(), "a load acts on a body that this robot lacks");
    expect(std::isfinite(norm(load.wrench.moment) + norm(load.wrench.force)), "a load must be finite numbers");
    expect_span(load.from, load.until);
  }
  expect(spec_.sample >= 0.0 && std::isfinite(spec_.sample), "the sampling time of a drive must be positive");
  for (const TorqueNoise& noise : spec_.noises)
    expect(noise.every > 0.0 && std::isfinite(noise.every), "noise is held for a positive time");
  expect(spec_.steps.torques.size() == spec_.steps.times.size() * torque_.size(),
         "each row of a torque table has one number per degree of freedom");
  expect(std::all_of(spec_.steps.times.begin(), spec_.steps.times.end(), [](double t) { return std::isfinite(t); }),
         "the times of a torque table must be finite numbers");
  expect(std::is_sorted(spec_.steps.times.begin(), spec_.steps.times.end()), "the times of a torque table must rise");
  if (!spec_.loads.empty()) wrenches_.assign(model.bodies().size(), Force<double>::zero());
}

double HeldActions::next_break(double t) const {
  double next = never;
  const auto at = [&](double time) {
    if (time > t) next = std::min(next, time);
  };
  for (const LinkLoad& load : spec_.loads) at(load.from), at(load.until);
  for (const TorquePulse& pulse : spec_.pulses) at(pulse.from), at(pulse.until);
  for (const TorqueNoise& noise : spec_.noises) at(next_multiple(t, noise.every)), at(noise.from), at(noise.until);
  const auto step = std::upper_bound(spec_.steps.times.begin(), spec_.steps.times.end(), t);
  if (step != spec_.steps.times.end()) at(*step);
  if (spec_.sample > 0.0) at(next_multiple(t, spec_.sample));
  return next;
}

void HeldActions::enter(double t, std::span<const double> q, std::span<const double> v) {
  // Other things jump between samples, too.
  const bool is_due =
      sampled_ != nullptr && (t < last_ || period_of(t, spec_.sample) != period_of(last_, spec_.sample));
  if (is_due) {
    last_ = t;
    std::fill(sample_.begin(), sample_.end(), 0.0);
    sampled_->add(t, q, v, sample_);
  }
  std::copy(sample_.begin(), sample_.end(), torque_.begin());
  const auto row = std::upper_bound(spec_.steps.times.begin(), spec_.steps.times.end(), t);
  if (row != spec_.steps.times.begin()) {
    const auto index = static_cast<std::size_t>(row - spec_.steps.times.begin()) - 1;
    for (std::size_t k = 0; k < torque_.size(); ++k) torque_[k] += spec_.steps.torques[index * torque_.size() + k];
  }
  std::fill(disturbance_.begin(), disturbance_.end(), 0.0);
  for (const TorquePulse& pulse : spec_.pulses)
    if (holds(t, pulse.from, pulse.until)) disturbance_[static_cast<std::size_t>(pulse.v_index)] += pulse.torque;
  for (std::size_t i = 0; i < spec_.noises.size(); ++i) {
    const TorqueNoise& noise = spec_.noises[i];
    if (!holds(t, noise.from, noise.until)) continue;
    disturbance_[static_cast<std::size_t>(noise.v_index)] +=
        noise.deviation * noise_number(spec_.seed, i, period_of(t, noise.every));
  }
  std::fill(wrenches_.begin(), wrenches_.end(), Force<double>::zero());
  for (const LinkLoad& load : spec_.loads)
    if (holds(t, load.from, load.until)) wrenches_[static_cast<std::size_t>(load.body)] += load.wrench;
}

}  // namespace ulna
