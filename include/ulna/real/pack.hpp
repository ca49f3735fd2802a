// Pack<S, N>: N states side by side in one SIMD register, the scalar of batches.
//
// Written by hand because std::simd is not in C++20 and Debian's xsimd knows no mask type that
// our `select` could share with `double`. GCC's and clang's vector extension does the rest: it
// is lowered to whatever the target has, so the same source is AVX2, SSE2, NEON or plain code.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "ulna/real/basic.hpp"

namespace ulna {

/// The result of comparing packs: all bits set in the lanes where it holds.
template <class S, int N>
struct PackMask {
  using Lane = std::conditional_t<sizeof(S) == 8, std::int64_t, std::int32_t>;
  using Vector [[gnu::vector_size(N * sizeof(S))]] = Lane;
  Vector bits;

  ULNA_INLINE bool operator[](int lane) const { return bits[lane] != 0; }
};

/// Whether it holds in some lane. By halves, so that it stays in vector registers.
template <class S, int N>
ULNA_INLINE bool any(const PackMask<S, N>& mask) {
  if constexpr (N == 2) {
    return (mask.bits[0] | mask.bits[1]) != 0;
  } else {
    using Half = PackMask<S, N / 2>;
    Half low, high;
    __builtin_memcpy(&low.bits, &mask.bits, sizeof(low.bits));
    __builtin_memcpy(&high.bits, reinterpret_cast<const char*>(&mask.bits) + sizeof(low.bits), sizeof(high.bits));
    return any(Half{low.bits | high.bits});
  }
}

template <std::floating_point S, int N>
struct alignas(N * sizeof(S)) Pack {  // the same alignment whatever instructions a file is compiled for
  static_assert(std::has_single_bit(static_cast<unsigned>(N)), "a pack has 2, 4, 8 … lanes");
  using Scalar = S;
  using Vector [[gnu::vector_size(N * sizeof(S))]] = S;
  static constexpr int lanes = N;
  Vector v;

  Pack() = default;
  // Not trivial, so that packs travel between files in memory: in registers they would not where
  // the library is compiled for AVX and its user is not.
  ULNA_INLINE Pack(const Pack& other) : v(other.v) {}
  ULNA_INLINE Pack& operator=(const Pack& other) { return v = other.v, *this; }
  ULNA_INLINE explicit Pack(double constant) : v(Vector{} + static_cast<S>(constant)) {}
  ULNA_INLINE explicit Pack(Vector raw) : v(raw) {}

  ULNA_INLINE static Pack load(const S* from) {
    Pack p;
    __builtin_memcpy(&p.v, from, sizeof(Vector));
    return p;
  }
  ULNA_INLINE void store(S* to) const { __builtin_memcpy(to, &v, sizeof(Vector)); }

  ULNA_INLINE S operator[](int lane) const { return v[lane]; }
  ULNA_INLINE void set(int lane, S value) { v[lane] = value; }

  ULNA_INLINE Pack& operator+=(const Pack& b) { return v += b.v, *this; }
  ULNA_INLINE Pack& operator-=(const Pack& b) { return v -= b.v, *this; }
  ULNA_INLINE Pack& operator*=(const Pack& b) { return v *= b.v, *this; }
  ULNA_INLINE Pack& operator/=(const Pack& b) { return v /= b.v, *this; }

  friend ULNA_INLINE Pack operator+(const Pack& a, const Pack& b) { return Pack(a.v + b.v); }
  friend ULNA_INLINE Pack operator-(const Pack& a, const Pack& b) { return Pack(a.v - b.v); }
  friend ULNA_INLINE Pack operator*(const Pack& a, const Pack& b) { return Pack(a.v * b.v); }
  friend ULNA_INLINE Pack operator/(const Pack& a, const Pack& b) { return Pack(a.v / b.v); }
  friend ULNA_INLINE Pack operator-(const Pack& a) { return Pack(-a.v); }

  using Mask = PackMask<S, N>;
  friend ULNA_INLINE Mask operator<(const Pack& a, const Pack& b) { return Mask{a.v < b.v}; }
  friend ULNA_INLINE Pack select(const Mask& m, const Pack& a, const Pack& b) { return Pack(m.bits ? a.v : b.v); }

  /// Lane by lane through a function of one number, for what has no vector form.
  template <class F>
  ULNA_INLINE friend Pack map(const Pack& a, F f) {
    Pack r;
    for (int i = 0; i < N; ++i) r.v[i] = f(a.v[i]);
    return r;
  }

  friend ULNA_INLINE Pack sqrt(const Pack& a) {
    return map(a, [](S x) { return std::sqrt(x); });
  }
  friend ULNA_INLINE Pack abs(const Pack& a) {
    return map(a, [](S x) { return std::fabs(x); });
  }
  friend Pack atan2(const Pack& y, const Pack& x) {
    Pack r;
    for (int i = 0; i < N; ++i) r.v[i] = std::atan2(y.v[i], x.v[i]);
    return r;
  }
  friend ULNA_INLINE double value_of(const Pack& a) { return static_cast<double>(a.v[0]); }
};

}  // namespace ulna
