// How far two ways to the same number may be apart for rounding alone.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace ulna::reproduction {

/// `operations`: the roundings in a row on the longest way to a number; `size`: of what was added up on it.
inline double rounding(double operations, double size) {
  return operations * std::numeric_limits<double>::epsilon() * size;
}

inline double largest(std::span<const double> values) {
  double most = 0.0;
  for (const double x : values) most = std::max(most, std::abs(x));
  return most;
}

/// Infinite for lists of different lengths and for what is not a number.
inline double largest_difference(std::span<const double> a, std::span<const double> b) {
  if (a.size() != b.size()) return std::numeric_limits<double>::infinity();
  double most = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const double off = std::abs(a[k] - b[k]);
    most = std::isnan(off) ? std::numeric_limits<double>::infinity() : std::max(most, off);
  }
  return most;
}

}  // namespace ulna::reproduction
