#include "integrate/gauss_legendre.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace ulna {

namespace {

using B = Block<double>;
constexpr std::size_t width = BlockOf<double>::width;

double norm(const double* x, std::size_t size) {
  double sum = 0.0;
  for (std::size_t i = 0; i < size; ++i) sum += std::fabs(x[i]);
  return sum;
}

/// The coefficients of Π (x − cₘ)/(cⱼ − cₘ) over m ≠ j, lowest power first.
std::vector<double> lagrange_powers(std::span<const double> c, std::size_t j) {
  std::vector<double> p(c.size(), 0.0);
  p[0] = 1.0;
  for (std::size_t m = 0; m < c.size(); ++m) {
    if (m == j) continue;
    for (std::size_t i = c.size(); i-- > 0;) p[i] = ((i > 0 ? p[i - 1] : 0.0) - c[m] * p[i]) / (c[j] - c[m]);
  }
  return p;
}

}  // namespace

GaussLegendre::GaussLegendre(const CollocationTableau& tableau, Ode<double>& system, const IntegratorOptions& options)
    : tableau_(tableau),
      system_(system),
      control_({}, options, std::numeric_limits<double>::epsilon()),
      size_(system.size()),
      rows_(6 + 2 * tableau.stages, system.size()),
      b_(terms_of(tableau.b)),
      b_rest_(terms_of(tableau.b_rest)) {
  padded_ = rows_.padded();
  std::size_t row = 0;
  for (double** vector : {&y0_, &y1_, &carry0_, &carry1_, &trial_, &slope_}) *vector = rows_[row++];
  const std::size_t s = tableau.stages;
  for (std::size_t i = 0; i < s; ++i) {
    k_.push_back(rows_[row++]);
    spare_k_.push_back(rows_[row++]);
    a_.push_back(terms_of(tableau.a.subspan(i * s, s)));
    a_rest_.push_back(terms_of(tableau.a_rest.subspan(i * s, s)));
    const std::vector<double> powers = lagrange_powers(tableau.c, i);
    powers_.insert(powers_.end(), powers.begin(), powers.end());
  }
}

double GaussLegendre::lagrange(std::size_t j, double x) const {
  const std::size_t s = tableau_.stages;
  double sum = 0.0;
  for (std::size_t m = s; m-- > 0;) sum = sum * x + powers_[j * s + m];
  return sum;
}

double GaussLegendre::lagrange_integral(std::size_t j, double x) const {
  const std::size_t s = tableau_.stages;
  double sum = 0.0;
  for (std::size_t m = s; m-- > 0;) sum = sum * x + powers_[j * s + m] / static_cast<double>(m + 1);
  return sum * x;
}

void GaussLegendre::evaluate(double t, const double* y, double* dy) {
  system_.rhs(t, {y, size_}, {dy, size_});
  ++statistics_.right_hand_sides;
}

void GaussLegendre::start(double t, std::span<const double> y) {
  std::copy(y.begin(), y.end(), y1_);
  std::fill_n(carry1_, padded_, 0.0);
  control_.start(t);
  slopes_known_ = false;
}

/// kᵢ = u'(zero + scale·cᵢ), where u is the polynomial through the slopes `from`, in units of their step.
void GaussLegendre::extrapolate(const Slopes& from, double at_zero, double scale, const Slopes& to) const {
  for (std::size_t i = 0; i < tableau_.stages; ++i) {
    std::fill_n(to[i], padded_, 0.0);
    for (std::size_t j = 0; j < tableau_.stages; ++j) {
      const B weight(lagrange(j, at_zero + scale * tableau_.c[i]));
      for (std::size_t n = 0; n < padded_; n += width)
        store_block<double>(load_block(to[i] + n) + weight * load_block(from[j] + n), to[i] + n);
    }
  }
}

/// The previous step's polynomial continued (HLW VIII.6.1, (A)), or the slope at the beginning.
void GaussLegendre::guess_slopes(double h) {
  if (slopes_known_) {
    extrapolate(k_, 1.0, h / h_, spare_k_);
    std::swap(k_, spare_k_);
  } else {
    evaluate(control_.time(), y0_, k_[0]);
    for (std::size_t i = 1; i < tableau_.stages; ++i) std::copy_n(k_[0], padded_, k_[i]);
  }
}

/// kᵢ ← f(t + cᵢh, y₀ + h Σ aᵢⱼkⱼ) one after the other. How much h·k changed.
double GaussLegendre::iterate(double t, double h, const Slopes& k) {
  double change = 0.0;
  for (std::size_t i = 0; i < tableau_.stages; ++i) {
    for (std::size_t n = 0; n < padded_; n += width) {
      const B sum = weighted_sum<double>(a_rest_[i], k, n) + weighted_sum<double>(a_[i], k, n);
      store_block<double>(load_block(y0_ + n) + (load_block(carry0_ + n) + B(h) * sum), trial_ + n);
    }
    evaluate(t + tableau_.c[i] * h, trial_, slope_);
    for (std::size_t n = 0; n < size_; ++n) {
      change += std::fabs(h * (slope_[n] - k[i][n]));
      k[i][n] = slope_[n];
    }
  }
  return change;
}

/// Until the change is nothing or, at the level of rounding, no longer decreases (HLW VIII.6.2).
StepStatus GaussLegendre::solve(double t, double h, const Slopes& k) {
  constexpr int most_iterations = 100, most_increases = 3;
  double previous = std::numeric_limits<double>::infinity();
  int increases = 0;
  for (int m = 0; m < most_iterations; ++m) {
    const double change = iterate(t, h, k);
    if (change == 0.0) return StepStatus::ok;
    if (!std::isfinite(change)) return increases > 0 ? StepStatus::not_converged : StepStatus::not_finite;
    if (change >= previous) {
      const double rounding_level = 1e-10 * (norm(y0_, size_) + std::fabs(h) * norm(k[0], size_));
      if (change <= rounding_level) return StepStatus::ok;
      if (++increases == most_increases) return StepStatus::not_converged;
    }
    previous = change;
  }
  return StepStatus::not_converged;
}

/// y₁ + carry₁ = y₀ + carry₀ + h Σ bᵢkᵢ, by compensated summation (HLW VIII.5).
void GaussLegendre::add_increment(double h, const Slopes& k) {
  for (std::size_t n = 0; n < padded_; n += width) {
    const B sum = weighted_sum<double>(b_rest_, k, n) + weighted_sum<double>(b_, k, n);
    const B increment = load_block(carry0_ + n) + B(h) * sum;
    const B before = load_block(y0_ + n), after = before + increment;
    store_block<double>(after, y1_ + n);
    store_block<double>((before - after) + increment, carry1_ + n);
  }
}

StepStatus GaussLegendre::step(double limit) {
  const StepControl::Trial trial = control_.propose(limit);
  if (trial.h == 0.0) return control_.status();
  std::swap(y0_, y1_);
  std::swap(carry0_, carry1_);
  if (system_.recentre({y0_, size_})) {
    std::fill_n(carry0_, padded_, 0.0);
    slopes_known_ = false;
  }
  guess_slopes(trial.h);
  const StepStatus status = solve(control_.time(), trial.h, k_);
  slopes_known_ = status == StepStatus::ok;
  if (!slopes_known_) {
    std::swap(y0_, y1_);
    std::copy_n(y1_, padded_, y0_);
    std::swap(carry0_, carry1_);
    control_.fail(status);
    return status;
  }
  add_increment(trial.h, k_);
  h_ = trial.h;
  control_.judge(0.0);
  ++statistics_.steps;
  return StepStatus::ok;
}

double GaussLegendre::part_of_step(double t) const { return (t - control_.previous_time()) / h_; }

void GaussLegendre::interpolate(double t, std::span<double> y) {
  if (t == time()) {
    std::copy_n(y1_, size_, y.begin());
    return;
  }
  std::copy_n(y0_, size_, y.begin());
  for (std::size_t j = 0; j < tableau_.stages; ++j) {
    const double weight = h_ * lagrange_integral(j, part_of_step(t));
    for (std::size_t n = 0; n < size_; ++n) y[n] += weight * k_[j][n];
  }
}

void GaussLegendre::retake(double t, std::span<double> y) {
  if (t == time()) {
    std::copy_n(y1_, size_, y.begin());
    return;
  }
  const long before = statistics_.right_hand_sides;
  const double part = part_of_step(t), h = part * h_;
  extrapolate(k_, 0.0, part, spare_k_);
  solve(control_.previous_time(), h, spare_k_);
  for (std::size_t n = 0; n < size_; ++n) {
    double sum = 0.0;
    for (std::size_t j = 0; j < tableau_.stages; ++j) sum += (tableau_.b[j] + tableau_.b_rest[j]) * spare_k_[j][n];
    y[n] = y0_[n] + (carry0_[n] + h * sum);
  }
  statistics_.output_right_hand_sides += statistics_.right_hand_sides - before;
  statistics_.right_hand_sides = before;
}

}  // namespace ulna
