// What plain numbers need to be scalars: the operations that packs and duals also have.
#pragma once

#include <cmath>
#include <concepts>

#if defined(__GNUC__) && (!defined(__EMSCRIPTEN__) || defined(ULNA_INLINE_ALL))
// g++ leaves the small spatial helpers out of line at -O2, which costs a factor of three
// (doc/adr/0003). The attribute holds for users' own instantiations too, flags would not.
#define ULNA_INLINE __attribute__((always_inline)) inline
// For lambdas whose captures are kept in registers as long as no call out of line takes their addresses.
#define ULNA_INLINE_LAMBDA __attribute__((always_inline))
#else
// clang inlines most of them by itself; for WebAssembly it takes minutes to hours when it is made to, but for double.
#define ULNA_INLINE inline
#define ULNA_INLINE_LAMBDA
#endif

namespace ulna {

/// Both at once, because every rotation needs both and their range reduction is shared.
template <class T>
struct SinCos {
  T sin;
  T cos;
};

template <std::floating_point T>
ULNA_INLINE T select(bool mask, T a, T b) {
  return mask ? a : b;
}

template <std::floating_point T>
ULNA_INLINE T sqrt(T x) {
  return std::sqrt(x);
}

template <std::floating_point T>
ULNA_INLINE T abs(T x) {
  return std::fabs(x);
}

template <std::floating_point T>
ULNA_INLINE T atan2(T y, T x) {
  return std::atan2(y, x);
}

/// The plain number behind a scalar's first lane, for messages and tests only.
template <std::floating_point T>
ULNA_INLINE double value_of(T x) {
  return static_cast<double>(x);
}

}  // namespace ulna
