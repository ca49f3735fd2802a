// The scalar every algorithm of Ulna is written over.
//
// An algorithm takes `template <Real T>` and may use only what the concept lists. It never
// branches on a value of T: a pack holds several values, a trace holds none. Where the value
// decides, both sides are computed and `select(mask, a, b)` picks one.
#pragma once

#include "ulna/real/basic.hpp"
#include "ulna/real/sincos.hpp"

namespace ulna {

template <class T>
concept Real = std::copyable<T> && requires(T m, const T a, const T b, double constant) {
  T(constant);
  { a + b } -> std::convertible_to<T>;
  { a - b } -> std::convertible_to<T>;
  { a* b } -> std::convertible_to<T>;
  { a / b } -> std::convertible_to<T>;
  { -a } -> std::convertible_to<T>;
  m += a;
  m -= a;
  m *= a;
  { select(a < b, a, b) } -> std::convertible_to<T>;
  { sqrt(a) } -> std::convertible_to<T>;
  { abs(a) } -> std::convertible_to<T>;
  { atan2(a, b) } -> std::convertible_to<T>;
  { sincos(a) } -> std::convertible_to<SinCos<T>>;
};

/// +1, 0 or −1 by the sign of x; the sign of Coulomb friction.
template <class T>
ULNA_INLINE T sign(const T& x) {
  return select(T(0.0) < x, T(1.0), select(x < T(0.0), T(-1.0), T(0.0)));
}

}  // namespace ulna
