#include "ulna/integrate/step_control.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ulna {

namespace {
constexpr double least_error = 1e-4;  // below it a previous error says nothing (DOPRI5)
constexpr double stretch = 1.01;      // so much longer than wanted the last step may be (DOPRI5)
}  // namespace

StepControl::StepControl(const StepConstants& constants, const IntegratorOptions& options, double epsilon)
    : constants_(constants),
      fixed_(options.fixed_step),
      largest_(options.largest_step > 0.0 ? options.largest_step : std::numeric_limits<double>::infinity()),
      epsilon_(epsilon) {}

void StepControl::start(double t) {
  t_ = t_previous_ = origin_ = t;
  count_ = 0;
  h_ = 0.0;
  error_ = least_error;
  turned_down_ = not_finite_ = false;
  status_ = StepStatus::ok;
}

double StepControl::first_guess(double y_norm, double f_norm, double limit) const {
  const double guess = y_norm < 1e-5 || f_norm < 1e-5 ? 1e-6 : 0.01 * (y_norm / f_norm);
  return std::max(0.0, std::min({guess, largest_, limit - t_}));
}

void StepControl::first_step(double guess, double f_norm, double f_difference) {
  if (!std::isfinite(f_norm)) return fail(StepStatus::not_finite);
  const double curvature = f_difference / guess;
  const double worst = std::isfinite(curvature) ? std::max(f_norm, curvature) : f_norm;
  const double by_order = worst <= 1e-15 ? std::max(1e-6, guess * 1e-3) : std::pow(0.01 / worst, constants_.exponent);
  h_ = std::min({100.0 * guess, by_order, largest_});
}

StepControl::Trial StepControl::propose(double limit) {
  if (status_ != StepStatus::ok || !(t_ < limit)) {
    trial_ = {0.0, t_};
  } else {
    trial_ = is_fixed() ? propose_fixed(limit) : propose_adaptive(limit);
  }
  return trial_;
}

StepControl::Trial StepControl::propose_fixed(double limit) {
  const double end = origin_ + static_cast<double>(count_ + 1) * fixed_;
  const double rounding = 4.0 * std::numeric_limits<double>::epsilon() * std::max(std::fabs(end), std::fabs(limit));
  full_ = true;
  if (std::fabs(limit - end) <= rounding) return {fixed_, limit};
  if (end < limit - 1e-6 * fixed_) return {fixed_, end};
  full_ = false;  // shortened, or stretched so that no tiny step remains
  return {limit - t_, limit};
}

StepControl::Trial StepControl::propose_adaptive(double limit) {
  const double rest = limit - t_;
  if (rest <= stretch * h_) return {rest, limit};
  if (h_ < 10.0 * epsilon_ * std::fabs(t_) || h_ < std::numeric_limits<double>::min()) {
    fail(not_finite_ ? StepStatus::not_finite : StepStatus::step_too_small);
    return {0.0, t_};
  }
  // Two equal steps to the limit instead of one and a small rest.
  const double h = rest < 2.0 * h_ ? 0.5 * rest : h_;
  return {h, t_ + h};
}

bool StepControl::judge(double error) {
  if (trial_.h == 0.0) return t_previous_ = t_, false;
  return is_fixed() ? judge_fixed(error) : judge_adaptive(error);
}

void StepControl::fail(StepStatus status) {
  status_ = status;
  t_previous_ = t_;
}

void StepControl::take() {
  t_previous_ = t_;
  t_ = trial_.end;
  ++steps_;
}

bool StepControl::judge_fixed(double error) {
  if (!std::isfinite(error)) {
    fail(StepStatus::not_finite);
    return false;
  }
  take();
  if (full_) {
    ++count_;
  } else {
    origin_ = t_;
    count_ = 0;
  }
  return true;
}

bool StepControl::judge_adaptive(double error) {
  const double h = trial_.h;
  not_finite_ = !std::isfinite(error);
  if (error <= 1.0) {
    const double alpha = constants_.exponent - 0.75 * constants_.beta;
    const double wanted = constants_.safety * std::pow(error, -alpha) * std::pow(error_, constants_.beta);
    double next = h * std::clamp(wanted, constants_.least_factor, constants_.most_factor);
    if (turned_down_) next = std::min(next, h);
    // A step that was shortened to land on the limit says nothing against the longer one.
    if (h < h_) next = std::max(next, h_);
    h_ = std::min(next, largest_);
    error_ = std::max(error, least_error);
    turned_down_ = false;
    take();
    return true;
  }
  const double wanted =
      not_finite_ ? 0.0 : constants_.safety * std::pow(error, -constants_.exponent + 0.75 * constants_.beta);
  h_ = h * std::max(constants_.least_factor, wanted);
  turned_down_ = true;
  t_previous_ = t_;
  ++rejected_;
  return false;
}

}  // namespace ulna
