#include "ulna/simulate/cubic_spline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ulna/base/error.hpp"

namespace ulna {

namespace {

void expect_rising(std::span<const double> times) {
  if (times.size() < 2) throw InputError("a spline needs at least two times");
  for (std::size_t i = 0; i + 1 < times.size(); ++i) {
    if (!(times[i] < times[i + 1]))
      throw InputError(
          fmt::format("times must rise: number {} is {}, number {} is {}", i + 1, times[i], i + 2, times[i + 1]));
  }
  if (!std::isfinite(times.front()) || !std::isfinite(times.back()))
    throw InputError("the times of a table must be finite");
}

/// Solves the tridiagonal system of the knots' second derivatives, one column of the table at a time.
class KnotEquations {
 public:
  KnotEquations(std::span<const double> times, CubicSpline::Ends ends)
      : h_(times.size() - 1), clamped_(ends == CubicSpline::Ends::at_rest), upper_(times.size()), rhs_(times.size()) {
    for (std::size_t i = 0; i < h_.size(); ++i) h_[i] = times[i + 1] - times[i];
  }

  /// `y(i)` is the column's value at knot i; `m(i)` takes its second derivative.
  template <class Value, class Result>
  void solve(const Value& y, const Result& m) {
    const std::size_t n = h_.size();
    const auto slope = [&](std::size_t i) { return (y(i + 1) - y(i)) / h_[i]; };
    // row i: lower·m(i−1) + diagonal·m(i) + upper·m(i+1) = right, eliminated as it is written
    const auto eliminate = [&](std::size_t i, double lower, double diagonal, double upper, double right) {
      const double pivot = i > 0 ? diagonal - lower * upper_[i - 1] : diagonal;
      upper_[i] = upper / pivot;
      rhs_[i] = (i > 0 ? right - lower * rhs_[i - 1] : right) / pivot;
    };
    clamped_ ? eliminate(0, 0.0, 2.0 * h_[0], h_[0], 6.0 * slope(0)) : eliminate(0, 0.0, 1.0, 0.0, 0.0);
    for (std::size_t i = 1; i < n; ++i)
      eliminate(i, h_[i - 1], 2.0 * (h_[i - 1] + h_[i]), h_[i], 6.0 * (slope(i) - slope(i - 1)));
    clamped_ ? eliminate(n, h_[n - 1], 2.0 * h_[n - 1], 0.0, -6.0 * slope(n - 1)) : eliminate(n, 0.0, 1.0, 0.0, 0.0);
    double next = 0.0;
    for (std::size_t i = n + 1; i-- > 0;) m(i) = next = rhs_[i] - upper_[i] * next;
  }

 private:
  std::vector<double> h_;
  bool clamped_;
  std::vector<double> upper_, rhs_;
};

}  // namespace

CubicSpline::CubicSpline(std::vector<double> times, std::vector<double> rows, std::size_t width, Ends ends)
    : times_(std::move(times)), rows_(std::move(rows)), curvature_(rows_.size()), width_(width) {
  expect_rising(times_);
  if (rows_.size() != times_.size() * width_)
    throw InputError(
        fmt::format("{} times want {} numbers, not {}", times_.size(), times_.size() * width_, rows_.size()));
  for (const double x : rows_) {
    if (!std::isfinite(x)) throw InputError("a table holds a number that is not finite");
  }
  KnotEquations equations(times_, ends);
  for (std::size_t k = 0; k < width_; ++k)
    equations.solve([&](std::size_t i) { return rows_[i * width_ + k]; },
                    [&](std::size_t i) -> double& { return curvature_[i * width_ + k]; });
}

std::size_t CubicSpline::piece(double t) const {
  const auto after = std::upper_bound(times_.begin() + 1, times_.end() - 1, t);
  return static_cast<std::size_t>(after - times_.begin()) - 1;
}

void CubicSpline::at(double t, std::size_t piece, std::span<double> value, std::span<double> first,
                     std::span<double> second) const {
  const double bounded = std::clamp(t, times_.front(), times_.back());
  const double moving = bounded == t ? 1.0 : 0.0;
  const double h = times_[piece + 1] - times_[piece];
  const double b = (bounded - times_[piece]) / h, a = 1.0 - b;
  for (std::size_t k = 0; k < width_; ++k) {
    const double y0 = rows_[piece * width_ + k], y1 = rows_[(piece + 1) * width_ + k];
    const double m0 = curvature_[piece * width_ + k], m1 = curvature_[(piece + 1) * width_ + k];
    if (!value.empty()) value[k] = a * y0 + b * y1 + ((a * a * a - a) * m0 + (b * b * b - b) * m1) * h * h / 6.0;
    if (!first.empty())
      first[k] = moving * ((y1 - y0) / h + ((3.0 * b * b - 1.0) * m1 - (3.0 * a * a - 1.0) * m0) * h / 6.0);
    if (!second.empty()) second[k] = moving * (a * m0 + b * m1);
  }
}

}  // namespace ulna
