// The library's scalars for typed tests, with how to fill them and what accuracy they have.
#pragma once

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "ulna/real/scalars.hpp"

namespace ulna::test {

using AllScalars = ::testing::Types<double, float, PackDouble, PackFloat, Dual4>;

template <class T>
struct ScalarCase {
  static constexpr double epsilon = std::numeric_limits<double>::epsilon();
  static constexpr int lanes = 1;
  static double lane(const T& x, int) { return value_of(x); }
  static void set(T& x, int, double value) { x = T(value); }
};
template <>
struct ScalarCase<float> {
  static constexpr double epsilon = std::numeric_limits<float>::epsilon();
  static constexpr int lanes = 1;
  static double lane(float x, int) { return x; }
  static void set(float& x, int, double value) { x = static_cast<float>(value); }
};
template <class S, int N>
struct ScalarCase<Pack<S, N>> {
  static constexpr double epsilon = std::numeric_limits<S>::epsilon();
  static constexpr int lanes = N;
  static double lane(const Pack<S, N>& x, int i) { return x[i]; }
  static void set(Pack<S, N>& x, int i, double value) { x.set(i, static_cast<S>(value)); }
};

/// The same numbers in every lane.
template <class T>
std::vector<T> spread(const std::vector<double>& values) {
  std::vector<T> out;
  for (const double x : values) out.push_back(T(x));
  return out;
}

}  // namespace ulna::test
