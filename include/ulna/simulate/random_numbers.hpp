// Random numbers by name: the same for the same seed and counters, in whatever order they are asked for, on every
// platform. std::normal_distribution will not do: its numbers differ from one standard library to the next.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace ulna {

/// SplitMix64's output function (Steele, Lea, Flood 2014; Stafford's variant 13): bits that look random for
/// counters that do not. Whole numbers only, so that every machine gives the same.
constexpr std::uint64_t mixed(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15ULL;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31);
}

/// From 0 to below 1, of 53 bits.
constexpr double unit_number(std::uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1p-53; }

/// Normal with mean 0 and deviation 1 (Box and Muller). Equal everywhere up to the last digits of the C library's
/// logarithm and cosine.
inline double normal_number(std::uint64_t a, std::uint64_t b) {
  const double u = (static_cast<double>(a) + 1.0) * 0x1p-64, w = static_cast<double>(b) * 0x1p-64;
  return std::sqrt(-2.0 * std::log(std::min(u, 1.0))) * std::cos(2.0 * std::numbers::pi * w);
}

}  // namespace ulna
