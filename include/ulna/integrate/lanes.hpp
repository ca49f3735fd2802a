// The lanes of a scalar one by one, for what an integrator decides per lane: a plain number is one.
#pragma once

#include <concepts>

#include "ulna/real/pack.hpp"
#include "ulna/real/real.hpp"

namespace ulna {

template <class T>
struct Lanes;

template <std::floating_point T>
struct Lanes<T> {
  using Scalar = T;
  static constexpr int count = 1;
  static double get(const T& x, int) { return static_cast<double>(x); }
  static void set(T& x, int, double value) { x = static_cast<T>(value); }
};

template <class S, int N>
struct Lanes<Pack<S, N>> {
  using Scalar = S;
  static constexpr int count = N;
  static double get(const Pack<S, N>& x, int lane) { return static_cast<double>(x[lane]); }
  static void set(Pack<S, N>& x, int lane, double value) { x.set(lane, static_cast<S>(value)); }
};

}  // namespace ulna
