#include "ulna/integrate/event.hpp"

#include <algorithm>
#include <cmath>

namespace ulna {

namespace {

constexpr double accuracy = 1e-12;
/// A function that is zero at the beginning, to the accuracy that a crossing is located with, has its
/// sign after so many times that accuracy: a ball that was located at the floor has left it by then.
constexpr double later = 64.0;

double tolerance_at(double t) { return accuracy * std::max(1.0, std::fabs(t)); }

int sign_of(double x) { return (0.0 < x) - (x < 0.0); }

}  // namespace

EventLocator::EventLocator(Integrator& integrator, EventFunctions& functions, std::size_t state_size)
    : integrator_(integrator),
      functions_(functions),
      y_(state_size),
      exact_(functions.size()),
      at_end_(functions.size()),
      sign_(functions.size(), 0) {}

void EventLocator::start() {
  std::fill(sign_.begin(), sign_.end(), 0);
  seen_ = integrator_.time();
  fresh_ = true;
}

std::span<const double> EventLocator::state_at(double t) {
  integrator_.retake(t, y_);
  return y_;
}

double EventLocator::value_at(std::size_t index, double t) {
  functions_.values(t, state_at(t), exact_);
  return exact_[index];
}

double EventLocator::end_of(std::size_t part) const {
  if (part == parts) return integrator_.time();
  const double from = integrator_.previous_time();
  return from + (integrator_.time() - from) * (static_cast<double>(part) / static_cast<double>(parts));
}

/// The signs where the past does not tell them.
void EventLocator::look_just_after(double t) {
  seen_ = std::min(t + later * tolerance_at(t), integrator_.time());
  functions_.values(seen_, state_at(seen_), exact_);
  std::transform(exact_.begin(), exact_.end(), sign_.begin(), sign_of);
  fresh_ = false;
}

std::optional<Crossing> EventLocator::next(double after) {
  const double begin = std::max(after, integrator_.previous_time());
  if (!(begin < integrator_.time())) return std::nullopt;
  if (fresh_ || std::fabs(begin - seen_) > tolerance_at(begin)) look_just_after(begin);
  for (std::size_t part = 1; part <= parts; ++part) {
    if (end_of(part) <= seen_) continue;
    const auto crossing = first_in(part, std::max(seen_, end_of(part - 1)));
    if (crossing) return crossing;
  }
  seen_ = integrator_.time();
  return std::nullopt;
}

std::optional<Crossing> EventLocator::first_in(std::size_t part, double from) {
  const double end = end_of(part);
  integrator_.glimpse(end, y_);
  functions_.values(end, y_, at_end_);
  std::optional<Crossing> first;
  for (std::size_t i = 0; i < sign_.size(); ++i) {
    const bool changes = sign_[i] * sign_of(at_end_[i]) < 0;
    // The state that was glimpsed may cross where the retaken one only comes near.
    if (!changes || sign_of(value_at(i, end)) == sign_[i]) continue;
    const double t = locate(i, from, end);
    if (!first || t < first->t) first = Crossing{t, i, sign_[i] < 0};
  }
  if (first) {
    sign_[first->index] = -sign_[first->index];
    seen_ = first->t;
    return first;
  }
  for (std::size_t i = 0; i < sign_.size(); ++i)
    if (sign_[i] == 0) sign_[i] = sign_of(at_end_[i]);
  return std::nullopt;
}

/// ITP (Oliveira and Takahashi 2020, "An enhancement of the bisection method average performance
/// preserving minmax optimality"), with κ₁ = 0.2/(b − a), κ₂ = 2, n₀ = 1. The end of the last
/// bracket where the sign has changed.
double EventLocator::locate(std::size_t index, double from, double to) {
  double a = from, b = to;
  double at_a = value_at(index, a), at_b = value_at(index, b);
  if (sign_of(at_a) != sign_[index]) {  // the glimpse at the end of the part before did not show it
    b = a;
    at_b = at_a;
    a = std::max(seen_, integrator_.previous_time());
    at_a = value_at(index, a);
    if (sign_of(at_a) != sign_[index]) return a;
  }
  const double epsilon = 0.5 * tolerance_at(b), kappa = 0.2 / (b - a);
  double allowance = epsilon * std::exp2(std::max(0.0, std::ceil(std::log2((b - a) / (2.0 * epsilon)))) + 1.0);
  while (b - a > 2.0 * epsilon) {
    const double half = 0.5 * (a + b), radius = allowance - 0.5 * (b - a);
    const double secant = (at_b * a - at_a * b) / (at_b - at_a);
    const double towards_half = half < secant ? -1.0 : 1.0;
    const double pull = kappa * (b - a) * (b - a);
    const double truncated = pull <= std::fabs(half - secant) ? secant + towards_half * pull : half;
    const double t = std::fabs(truncated - half) <= radius ? truncated : half - towards_half * radius;
    const double at_t = value_at(index, t);
    if (sign_of(at_t) == sign_[index]) {
      a = t;
      at_a = at_t;
    } else {
      b = t;
      at_b = at_t;
    }
    allowance *= 0.5;
  }
  return b;
}

}  // namespace ulna
