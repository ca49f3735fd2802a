// The lanes of a scalar one by one, for what is decided or computed per lane and in double whatever
// the scalar: a plain number and a dual are one lane, a pack has several, a trace none.
#pragma once

#include "ulna/real/dual.hpp"
#include "ulna/real/pack.hpp"

namespace ulna {

template <class T>
struct Lanes {
  using Scalar = T;
  static constexpr int count = 1;
  static double get(const T& x, int) { return value_of(x); }
  static void set(T& x, int, double value) { x = T(value); }
};

template <class S, int N>
struct Lanes<Pack<S, N>> {
  using Scalar = S;
  static constexpr int count = N;
  static double get(const Pack<S, N>& x, int lane) { return static_cast<double>(x[lane]); }
  static void set(Pack<S, N>& x, int lane, double value) { x.set(lane, static_cast<S>(value)); }
};

struct Trace;
template <>
struct Lanes<Trace> {
  static constexpr int count = 0;
  static double get(const Trace&, int);  // never called
};

}  // namespace ulna
