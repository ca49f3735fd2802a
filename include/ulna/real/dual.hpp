// Dual<N>: a number with its derivatives in N directions. Running an algorithm on it gives
// exact derivatives of everything it computes: seed the inputs, read `d` of the outputs.
//
// Written by hand because autodiff libraries bring their own expression types, which our
// `select` could not pass through.
#pragma once

#include <array>

#include "ulna/real/real.hpp"

namespace ulna {

template <int N>
struct Dual {
  double x;                 // the value
  std::array<double, N> d;  // its derivatives

  Dual() = default;
  ULNA_INLINE explicit Dual(double constant) : x(constant), d{} {}
  ULNA_INLINE Dual(double value, const std::array<double, N>& derivatives) : x(value), d(derivatives) {}

  /// An independent variable: derivative one in direction k.
  static Dual variable(double value, int k) {
    Dual r(value);
    r.d[static_cast<std::size_t>(k)] = 1.0;
    return r;
  }

  /// f(a) with f' given: the chain rule.
  ULNA_INLINE static Dual chain(double f, double df, const Dual& a) {
    Dual r(f);
    for (std::size_t i = 0; i < N; ++i) r.d[i] = df * a.d[i];
    return r;
  }
  /// f(a, b) with both partial derivatives given.
  ULNA_INLINE static Dual chain(double f, double dfa, const Dual& a, double dfb, const Dual& b) {
    Dual r(f);
    for (std::size_t i = 0; i < N; ++i) r.d[i] = dfa * a.d[i] + dfb * b.d[i];
    return r;
  }

  friend ULNA_INLINE Dual operator+(const Dual& a, const Dual& b) { return chain(a.x + b.x, 1.0, a, 1.0, b); }
  friend ULNA_INLINE Dual operator-(const Dual& a, const Dual& b) { return chain(a.x - b.x, 1.0, a, -1.0, b); }
  friend ULNA_INLINE Dual operator*(const Dual& a, const Dual& b) { return chain(a.x * b.x, b.x, a, a.x, b); }
  friend ULNA_INLINE Dual operator/(const Dual& a, const Dual& b) {
    const double q = a.x / b.x;
    return chain(q, 1.0 / b.x, a, -q / b.x, b);
  }
  friend ULNA_INLINE Dual operator-(const Dual& a) { return chain(-a.x, -1.0, a); }

  ULNA_INLINE Dual& operator+=(const Dual& b) { return *this = *this + b; }
  ULNA_INLINE Dual& operator-=(const Dual& b) { return *this = *this - b; }
  ULNA_INLINE Dual& operator*=(const Dual& b) { return *this = *this * b; }
  ULNA_INLINE Dual& operator/=(const Dual& b) { return *this = *this / b; }

  friend ULNA_INLINE bool operator<(const Dual& a, const Dual& b) { return a.x < b.x; }
  friend ULNA_INLINE Dual select(bool mask, const Dual& a, const Dual& b) { return mask ? a : b; }

  friend ULNA_INLINE Dual sqrt(const Dual& a) {
    const double r = std::sqrt(a.x);
    return chain(r, 0.5 / r, a);
  }
  friend ULNA_INLINE Dual abs(const Dual& a) { return a.x < 0.0 ? -a : a; }
  friend ULNA_INLINE Dual atan2(const Dual& a, const Dual& b) {
    const double r2 = a.x * a.x + b.x * b.x;
    return chain(std::atan2(a.x, b.x), b.x / r2, a, -a.x / r2, b);
  }
  friend ULNA_INLINE SinCos<Dual> sincos(const Dual& a) {
    const SinCos<double> r = ulna::sincos(a.x);
    return {chain(r.sin, r.cos, a), chain(r.cos, -r.sin, a)};
  }
  friend ULNA_INLINE double value_of(const Dual& a) { return a.x; }
};

}  // namespace ulna
