#include "spline_program.hpp"

#include <algorithm>
#include <cmath>

namespace ulna {

namespace {

constexpr double wide = 1e4;  // where a number is limited on one side only, the other is as far away

/// Σ a b.
double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

}  // namespace

const std::array<std::array<double, 4>, 4>& BSplineMotion::weights(std::size_t degree, bool at_right) {
  using Table = std::array<std::array<double, 4>, 4>;
  static constexpr Table second_left{{{0.5, 0.5, 0, 0}, {-1, 1, 0, 0}, {1, -2, 1, 0}, {}}};
  static constexpr Table second_right{{{0, 0.5, 0.5, 0}, {0, -1, 1, 0}, {1, -2, 1, 0}, {}}};
  static constexpr double sixth = 1.0 / 6.0;
  static constexpr Table third_left{{{sixth, 4 * sixth, sixth, 0}, {-0.5, 0, 0.5, 0}, {1, -2, 1, 0}, {-1, 3, -3, 1}}};
  static constexpr Table third_right{{{0, sixth, 4 * sixth, sixth}, {0, -0.5, 0, 0.5}, {0, 1, -2, 1}, {-1, 3, -3, 1}}};
  if (degree == 2) return at_right ? second_right : second_left;
  return at_right ? third_right : third_left;
}

void BSplineMotion::set_way(const std::function<void(double, std::span<double>)>& way) {
  control.resize(count() * width);
  const std::size_t last = count() - 1, fixed = degree - 1;
  for (std::size_t k = 0; k <= last; ++k) {
    const double u =
        static_cast<double>(std::clamp(k, fixed, last - fixed) - fixed) / static_cast<double>(last - 2 * fixed);
    way(u * u * u * (10.0 + u * (6.0 * u - 15.0)), std::span(control).subspan(k * width, width));
  }
}

void BSplineMotion::at_end(std::size_t interval, bool at_right, std::span<double> x) const {
  const auto& table = weights(degree, at_right);
  double power = 1.0;
  for (std::size_t d = 0; d <= degree; ++d, power /= step()) {
    for (std::size_t j = 0; j < width; ++j) {
      double sum = 0.0;
      for (std::size_t k = 0; k <= degree; ++k) sum += table[d][k] * control[(interval + k) * width + j];
      x[d * width + j] = power * sum;
    }
  }
}

void BSplineMotion::at(std::size_t interval, double share, std::span<double> x) const {
  at_end(interval, false, x);
  const double t = share * step();
  for (std::size_t d = 0; d < degree; ++d) {  // Taylor's, which ends with the degree
    for (std::size_t j = 0; j < width; ++j) {
      double term = 1.0, sum = x[d * width + j];
      for (std::size_t k = 1; d + k <= degree; ++k)
        sum += (term *= t / static_cast<double>(k)) * x[(d + k) * width + j];
      x[d * width + j] = sum;
    }
  }
}

SplineProgram::SplineProgram(MomentLimits& limits, const BSplineMotion& shape, std::vector<double> lower,
                             std::vector<double> upper)
    : limits_(limits),
      degree_(shape.degree),
      width_(shape.width),
      size_of_x_((shape.degree + 1) * shape.width),
      rows_(limits.rows()),
      lower_(std::move(lower)),
      upper_(std::move(upper)),
      matrix_((shape.intervals - shape.degree) * shape.width, size_of_x_ - 1) {
  for (std::size_t j = 0; j < width_; ++j) {
    if (std::isfinite(lower_[j]) && !std::isfinite(upper_[j])) upper_[j] = lower_[j] + wide;
    if (std::isfinite(upper_[j]) && !std::isfinite(lower_[j])) lower_[j] = upper_[j] - wide;
  }
  now_.motion.intervals = shape.intervals;
  const std::size_t row_count = moments() * rows_ + matrix_.size();
  for (Trial* trial : {&now_, &next_}) {
    trial->x.resize(moments() * size_of_x_);
    trial->g.resize(row_count);
    trial->cost.resize(moments());
  }
  rates_.resize(row_count);
  weight_.resize(moments() * rows_);
  slopes_.resize(moments() * rows_ * size_of_x_);
  cost_slope_.resize(moments() * size_of_x_);
  second_.resize(moments() * size_of_x_ * size_of_x_);
  for (auto* vector : {&gradient_, &diagonal_, &step_}) vector->resize(matrix_.size() + 1);
  for (auto* vector : {&local_gradient_, &local_multiplied_, &by_duration_, &half_}) vector->resize(size_of_x_);
  local_second_.resize(size_of_x_ * size_of_x_);
}

/// The rows that keep the control points between their limits, behind those of the moments.
void SplineProgram::set_box_rows(Trial& trial) const {
  double* g = trial.g.data() + moments() * rows_;
  const double* control = trial.motion.control.data() + degree_ * width_;
  for (std::size_t f = 0; f < free_rows(); ++f)
    for (std::size_t j = 0; j < width_; ++j, ++g, ++control)
      *g = std::isfinite(lower_[j]) ? (2.0 * *control - lower_[j] - upper_[j]) / (upper_[j] - lower_[j]) : 0.0;
}

void SplineProgram::evaluate(Trial& trial) {
  for (std::size_t m = 0; m < moments(); ++m)
    trial.motion.at_end(m / 2, m % 2 == 1, std::span(trial.x).subspan(m * size_of_x_, size_of_x_));
  limits_.values(trial.x, std::span(trial.g).first(moments() * rows_), trial.cost);
  set_box_rows(trial);
  if (least_duration_) {
    trial.value = trial.motion.duration / start_duration_;
  } else {
    trial.value = 0.0;
    for (const double cost : trial.cost) trial.value += cost;
    trial.value *= 0.5 * scale_ * trial.motion.step();
  }
}

bool SplineProgram::is_inside(const BSplineMotion& motion, double room) {
  next_.motion = motion;
  evaluate(next_);
  const double* const boxes = next_.g.data() + moments() * rows_;
  return std::all_of(next_.g.begin(), next_.g.end(),
                     [&](const double& g) { return std::abs(g) < (&g < boxes ? 1.0 - room : 1.0); });
}

bool SplineProgram::slow_down(BSplineMotion& motion, double duration) {
  constexpr double room = 0.02;  // a start at the very limit would be stuck there
  constexpr double factor = 1.25;
  constexpr int most_times = 120;  // to 4e11 times the guess, which may be of no limits but those of jerk
  motion.duration = duration;
  for (int k = 0; k < most_times; ++k, motion.duration *= factor)
    if (is_inside(motion, room)) return true;
  return false;
}

double SplineProgram::most_between(const BSplineMotion& motion) {
  double most = 0.0;
  std::vector<double> x(motion.intervals * size_of_x_), g(motion.intervals * rows_), cost(motion.intervals);
  constexpr int parts = 16;  // corners of a path may lie anywhere in an interval
  for (int part = 1; part < parts; ++part) {
    for (std::size_t k = 0; k < motion.intervals; ++k)
      motion.at(k, static_cast<double>(part) / parts, std::span(x).subspan(k * size_of_x_, size_of_x_));
    limits_.values(x, g, cost);
    for (const double share : g) most = std::max(most, std::abs(share));
  }
  return most;
}

void SplineProgram::keep_between(BSplineMotion& motion) {
  constexpr int most_times = 30;  // each takes the square of what was too much, or more
  for (int k = 0; k < most_times; ++k) {
    const double most = most_between(motion);
    if (!(most > 1.0 + beyond)) return;
    motion.duration *= 1.0 + 0.5 * (most - 1.0);
  }
}

double SplineProgram::barrier(const Trial& trial) const {
  double sum = 0.0;
  for (const double g : trial.g) sum -= std::log1p(-g) + std::log1p(g);
  return trial.value + mu_ * sum;
}

/// First and second derivatives of value and barrier at one end of an interval, by its x. Second ones are with the
/// multipliers, first ones with what the barrier has in their place.
void SplineProgram::set_local(std::size_t moment) {
  const std::size_t nx = size_of_x_;
  std::copy_n(&second_[moment * nx * nx], nx * nx, local_second_.begin());
  for (std::size_t i = 0; i < nx; ++i)
    local_gradient_[i] = local_multiplied_[i] = cost_weight() * cost_slope_[moment * nx + i];
  for (std::size_t r = moment * rows_; r < (moment + 1) * rows_; ++r) {
    const double* slope = &slopes_[r * nx];
    const double above = 1.0 - now_.g[r], below = 1.0 + now_.g[r];
    const double push = mu_ / above - mu_ / below, curvature = up_[r] / above + down_[r] / below;
    for (std::size_t i = 0; i < nx; ++i) {
      if (slope[i] == 0.0) continue;
      local_gradient_[i] += push * slope[i];
      local_multiplied_[i] += (up_[r] - down_[r]) * slope[i];
      for (std::size_t j = 0; j < nx; ++j) local_second_[i * nx + j] += curvature * slope[i] * slope[j];
    }
  }
}

/// By the duration: derivative d of the motion goes with duration^−d, and the unknown is the logarithm.
void SplineProgram::add_duration(std::size_t moment) {
  const std::size_t nx = size_of_x_;
  for (std::size_t i = 0; i < nx; ++i) by_duration_[i] = -order_of(i) * now_.x[moment * nx + i];
  gradient_.back() += dot(local_gradient_, by_duration_);
  for (std::size_t i = 0; i < nx; ++i) {
    matrix_.corner() -= order_of(i) * by_duration_[i] * local_multiplied_[i];
    matrix_.corner() += by_duration_[i] * dot({&local_second_[i * nx], nx}, by_duration_);
  }
}

/// By the control points, with the chain rule.
void SplineProgram::add_control(std::size_t moment) {
  const std::size_t nx = size_of_x_, n = width_, interval = moment / 2;
  std::array<std::array<double, 4>, 4> table = BSplineMotion::weights(degree_, moment % 2 == 1);
  double power = 1.0;
  for (std::size_t d = 0; d <= degree_; ++d, power /= now_.motion.step())
    for (double& w : table[d]) w *= power;
  const auto is_free = [&](std::size_t k) { return interval + k >= degree_ && interval + k < now_.motion.intervals; };
  for (std::size_t at = 0; at < nx; ++at) {
    const std::size_t k = at / n, j = at % n;
    if (!is_free(k)) continue;
    const std::size_t row = (interval + k - degree_) * n + j;
    std::fill(half_.begin(), half_.end(), 0.0);
    for (std::size_t d = 0; d <= degree_; ++d) {
      const double w = table[d][k];
      gradient_[row] += w * local_gradient_[d * n + j];
      matrix_.border(row) -= w * static_cast<double>(d) * local_multiplied_[d * n + j];
      for (std::size_t i = 0; i < nx; ++i) half_[i] += w * local_second_[(d * n + j) * nx + i];
    }
    matrix_.border(row) += dot(half_, by_duration_);
    for (std::size_t other = 0; other <= at; ++other) {
      const std::size_t l = other / n, m = other % n;
      if (!is_free(l)) continue;
      double sum = 0.0;
      for (std::size_t e = 0; e <= degree_; ++e) sum += table[e][l] * half_[e * n + m];
      matrix_.at(row, (interval + l - degree_) * n + m) += sum;
    }
  }
}

void SplineProgram::add_boxes() {
  std::size_t r = moments() * rows_;
  for (std::size_t i = 0; i < matrix_.size(); ++i, ++r) {
    const std::size_t j = i % width_;
    if (!std::isfinite(lower_[j])) continue;
    const double slope = 2.0 / (upper_[j] - lower_[j]), above = 1.0 - now_.g[r], below = 1.0 + now_.g[r];
    gradient_[i] += slope * (mu_ / above - mu_ / below);
    matrix_.at(i, i) += slope * slope * (up_[r] / above + down_[r] / below);
  }
}

void SplineProgram::differentiate() {
  for (std::size_t r = 0; r < weight_.size(); ++r) weight_[r] = up_[r] - down_[r];
  limits_.derivatives(now_.x, weight_, cost_weight(), slopes_, cost_slope_, second_);
  matrix_.clear();
  std::fill(gradient_.begin(), gradient_.end(), 0.0);
  for (std::size_t m = 0; m < moments(); ++m) {
    set_local(m);
    add_duration(m);
    add_control(m);
  }
  add_boxes();
  if (least_duration_) {  // e^θ
    gradient_.back() += now_.value;
    matrix_.corner() += now_.value;
  } else {
    gradient_.back() = 0.0;
  }
}

/// Newton's, where the second derivatives are positive; else they are made so.
bool SplineProgram::set_step() {
  double mean = 0.0;
  for (std::size_t i = 0; i < matrix_.size(); ++i) {
    diagonal_[i] = std::abs(matrix_.at(i, i));
    mean += diagonal_[i] / static_cast<double>(matrix_.size());
  }
  for (std::size_t i = 0; i < matrix_.size(); ++i) diagonal_[i] = std::max(diagonal_[i], 1e-3 * mean);
  diagonal_.back() = std::abs(matrix_.corner()) + now_.value;
  bool positive = matrix_.factor(0.0, diagonal_, least_duration_);
  for (shift_ = std::max(0.1 * shift_, 1e-12); !positive && shift_ < 1e6; shift_ *= 8.0)
    positive = matrix_.factor(shift_, diagonal_, least_duration_);
  if (!positive) return false;
  for (std::size_t i = 0; i < step_.size(); ++i) step_[i] = -gradient_[i];
  matrix_.solve(step_);
  decrement_ = -dot(gradient_, step_);
  return std::isfinite(decrement_);
}

/// How fast the rows change along the step.
void SplineProgram::set_rates() {
  const std::size_t nx = size_of_x_;
  BSplineMotion& way = next_.motion;  // the step as a motion; its ends stay
  way = now_.motion;
  std::fill(way.control.begin(), way.control.end(), 0.0);
  std::copy(step_.begin(), step_.end() - 1, way.control.begin() + static_cast<std::ptrdiff_t>(degree_ * width_));
  std::span<double> dx(local_gradient_);
  for (std::size_t m = 0; m < moments(); ++m) {
    way.at_end(m / 2, m % 2 == 1, dx);
    for (std::size_t i = 0; i < nx; ++i) dx[i] -= order_of(i) * now_.x[m * nx + i] * step_.back();
    for (std::size_t r = m * rows_; r < (m + 1) * rows_; ++r) rates_[r] = dot({&slopes_[r * nx], nx}, dx);
  }
  std::size_t r = moments() * rows_;
  for (std::size_t i = 0; i < matrix_.size(); ++i, ++r) {
    const std::size_t j = i % width_;
    rates_[r] = std::isfinite(lower_[j]) ? 2.0 * step_[i] / (upper_[j] - lower_[j]) : 0.0;
  }
}

/// As far as the limits and the promise of the slope allow. False: no way is left.
bool SplineProgram::take_step() {
  constexpr double left = 0.005;          // of the room to a limit that a step must leave
  constexpr double most_stretch = 0.5;    // of the duration's logarithm
  constexpr double promised = 1e-4;       // part of the slope (Armijo)
  constexpr double most_estranged = 1e3;  // of a multiplier from μ over the room
  double length = 1.0;
  for (std::size_t r = 0; r < rates_.size(); ++r) {
    const double room = rates_[r] > 0.0 ? 1.0 - now_.g[r] : 1.0 + now_.g[r];
    length = std::min(length, (1.0 - left) * room / std::max(std::abs(rates_[r]), 1e-300));
  }
  length = std::min(length, most_stretch / std::max(std::abs(step_.back()), 1e-300));
  const double here = barrier(now_);
  const auto is_good = [&] {
    for (std::size_t r = 0; r < rates_.size(); ++r) {
      if (!(1.0 - next_.g[r] >= left * (1.0 - now_.g[r]) && 1.0 + next_.g[r] >= left * (1.0 + now_.g[r]))) return false;
    }
    return barrier(next_) <= here - promised * length * decrement_ + 1e-14 * std::abs(here);
  };
  for (;; length *= 0.5) {
    if (length < 1e-9) return false;
    next_.motion = now_.motion;
    double* control = next_.motion.control.data() + degree_ * width_;
    for (std::size_t i = 0; i < matrix_.size(); ++i) control[i] += length * step_[i];
    if (least_duration_) next_.motion.duration *= std::exp(length * step_.back());
    evaluate(next_);
    if (is_good()) break;
  }
  for (std::size_t r = 0; r < rates_.size(); ++r) {
    const auto follow = [&](double& y, double room, double rate, double new_room) {
      const double change = mu_ / room + y / room * rate - y;
      y = std::max(y + length * change, left * y);
      y = std::clamp(y, mu_ / (most_estranged * new_room), most_estranged * mu_ / new_room);
    };
    follow(up_[r], 1.0 - now_.g[r], rates_[r], 1.0 - next_.g[r]);
    follow(down_[r], 1.0 + now_.g[r], -rates_[r], 1.0 + next_.g[r]);
  }
  std::swap(now_, next_);
  return true;
}

/// To the least of value and barrier, near enough to follow it as the barrier shrinks.
void SplineProgram::center() {
  constexpr int most_steps = 60;
  constexpr double near = 0.05;  // decrement in parts of μ
  for (int k = 0; k < most_steps; ++k) {
    differentiate();
    if (!set_step() || decrement_ <= near * mu_) return;
    set_rates();
    if (!take_step()) return;
  }
}

void SplineProgram::minimise(BSplineMotion& motion, bool least_duration) {
  constexpr double gap = 1e-6;  // what a linear program would be off, in parts of the value
  constexpr double fall = 0.2;
  least_duration_ = least_duration;
  start_duration_ = motion.duration;
  scale_ = 1.0;
  shift_ = 0.0;
  now_.motion = motion;
  evaluate(now_);
  if (now_.value > 0.0) scale_ = 1.0 / now_.value;
  evaluate(now_);
  const double count = 2.0 * static_cast<double>(now_.g.size());
  mu_ = 1.0 / count;
  up_.resize(now_.g.size());
  down_.resize(now_.g.size());
  for (std::size_t r = 0; r < now_.g.size(); ++r) {
    up_[r] = mu_ / (1.0 - now_.g[r]);
    down_[r] = mu_ / (1.0 + now_.g[r]);
  }
  for (;; mu_ *= fall) {
    center();
    if (mu_ * count <= gap) break;
  }
  motion = now_.motion;
}

}  // namespace ulna
