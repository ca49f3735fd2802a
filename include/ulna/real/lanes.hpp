// The single numbers in a scalar, for what is computed in double whatever the scalar: a plain
// number and a dual have one lane, a pack several.
#pragma once

#include "ulna/real/dual.hpp"
#include "ulna/real/pack.hpp"

namespace ulna {

template <class T>
struct Lanes {
  static constexpr int count = 1;
  static double get(const T& x, int) { return value_of(x); }
  static void set(T& x, int, double value) { x = T(value); }
};

template <class S, int N>
struct Lanes<Pack<S, N>> {
  static constexpr int count = N;
  static double get(const Pack<S, N>& x, int lane) { return static_cast<double>(x[lane]); }
  static void set(Pack<S, N>& x, int lane, double value) { x.set(lane, static_cast<S>(value)); }
};

}  // namespace ulna
