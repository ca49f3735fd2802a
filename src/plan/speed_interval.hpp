// The linear programs of reachability analysis in two unknowns: u = s̈ and x = ṡ² at the beginning of an interval.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#pragma GCC visibility push(hidden)
namespace ulna {

/// A limit, both ways where it is |a u + b x + c| ≤ 1: u is from slope x + low to slope x + high.
struct SpeedRow {
  double slope, low, high;
  int limit;  // which one, for the reason
};

/// What the rows leave of u at an x, and the rows that do it.
struct SpeedWindow {
  double low, high;
  const SpeedRow *lower, *upper;

  bool is_open() const { return low <= high; }
};

inline SpeedWindow window_at(std::span<const SpeedRow> rows, double x) {
  SpeedWindow window{-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity(), nullptr,
                     nullptr};
  for (const SpeedRow& row : rows) {
    const double low = row.slope * x + row.low, high = row.slope * x + row.high;
    if (low > window.low) {
      window.low = low;
      window.lower = &row;
    }
    if (high < window.high) {
      window.high = high;
      window.upper = &row;
    }
  }
  return window;
}

/// The width of a window and how it grows with x.
struct WindowWidth {
  double width, slope;
};
inline WindowWidth width_of(const SpeedWindow& window) {
  // Rounding of numbers of the size of the bounds is no reason to close a window.
  const double slack = 1e-13 * (std::abs(window.high) + std::abs(window.low));
  const double width = window.high - window.low;
  return {width < 0.0 && width > -slack ? 0.0 : width, window.upper->slope - window.lower->slope};
}

/// The end of the interval of x with an open window that is nearest to `from`, going towards `to`; NaN where there is
/// none. The window's width is concave and linear in pieces: the root of the piece at hand is never beyond the end, so
/// that a few steps of Newton's method find it.
inline double nearest_open(std::span<const SpeedRow> rows, double from, double to, SpeedWindow& window) {
  constexpr int most_steps = 100;
  const double way = to < from ? -1.0 : 1.0;
  double x = from;
  for (int k = 0; k < most_steps; ++k) {
    window = window_at(rows, x);
    const auto [width, slope] = width_of(window);
    if (width >= 0.0) return x;
    if (!(slope * way > 0.0)) break;
    const double next = x - width / slope;
    if (!((to - next) * way >= 0.0)) break;
    if (next == x) return x;
    x = next;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

/// The largest x with an open window, of those from `low` to `high`. The search goes up from a `guess`: from far above
/// the root of a line would be lost in rounding.
inline double highest_open(std::span<const SpeedRow> rows, double low, double high, double guess, SpeedWindow& window) {
  double x = std::max(guess, low);
  while (x < high) {
    const auto [width, slope] = width_of(window_at(rows, x));
    if (width < 0.0 && slope <= 0.0) break;
    x *= 2.0;
  }
  return nearest_open(rows, std::min(x, high), low, window);
}

}  // namespace ulna
#pragma GCC visibility pop
