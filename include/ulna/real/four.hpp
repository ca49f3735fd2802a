// Four<T>: four numbers of T that go through the same operations. One SIMD register where T is a plain number, so that
// four like things to do for one state take the time of one; for scalars that fill their registers by themselves four
// of them, one after the other, and the same operations.
#pragma once

#include <array>
#include <type_traits>

#include "ulna/real/pack.hpp"
#include "ulna/real/real.hpp"

namespace ulna {

template <class T>
struct FourOf {
  std::array<T, 4> x;

  FourOf() = default;
  ULNA_INLINE explicit FourOf(double constant) { x.fill(T(constant)); }
  ULNA_INLINE const T& operator[](int i) const { return x[static_cast<std::size_t>(i)]; }

  /// f of the first numbers, of the second, and so on.
  template <class F, class... Numbers>
  ULNA_INLINE static auto each(F f, const Numbers&... numbers) {
    const auto at = [&](std::size_t i) { return f(numbers.x[i]...); };
    FourOf<decltype(at(0))> r;
    for (std::size_t i = 0; i < 4; ++i) r.x[i] = at(i);
    return r;
  }

  friend ULNA_INLINE FourOf operator+(const FourOf& a, const FourOf& b) {
    return each([](const T& s, const T& t) { return s + t; }, a, b);
  }
  friend ULNA_INLINE FourOf operator-(const FourOf& a, const FourOf& b) {
    return each([](const T& s, const T& t) { return s - t; }, a, b);
  }
  friend ULNA_INLINE FourOf operator*(const FourOf& a, const FourOf& b) {
    return each([](const T& s, const T& t) { return s * t; }, a, b);
  }
  friend ULNA_INLINE FourOf operator/(const FourOf& a, const FourOf& b) {
    return each([](const T& s, const T& t) { return s / t; }, a, b);
  }
  friend ULNA_INLINE FourOf operator-(const FourOf& a) {
    return each([](const T& s) { return -s; }, a);
  }
  ULNA_INLINE FourOf& operator+=(const FourOf& b) { return *this = *this + b; }
  ULNA_INLINE FourOf& operator-=(const FourOf& b) { return *this = *this - b; }
  ULNA_INLINE FourOf& operator*=(const FourOf& b) { return *this = *this * b; }

  friend ULNA_INLINE auto operator<(const FourOf& a, const FourOf& b) {
    return each([](const T& s, const T& t) { return s < t; }, a, b);
  }
  template <class Mask>
  friend ULNA_INLINE FourOf select(const FourOf<Mask>& mask, const FourOf& a, const FourOf& b) {
    return each([](const Mask& m, const T& s, const T& t) { return select(m, s, t); }, mask, a, b);
  }
  friend ULNA_INLINE FourOf sqrt(const FourOf& a) {
    return each([](const T& s) { return sqrt(s); }, a);
  }
  friend ULNA_INLINE FourOf abs(const FourOf& a) {
    return each([](const T& s) { return abs(s); }, a);
  }
  friend ULNA_INLINE FourOf atan2(const FourOf& a, const FourOf& b) {
    return each([](const T& s, const T& t) { return atan2(s, t); }, a, b);
  }
  friend ULNA_INLINE SinCos<FourOf> sincos(const FourOf& a) {
    SinCos<FourOf> r;
    for (std::size_t i = 0; i < 4; ++i) {
      const SinCos<T> one = sincos(a.x[i]);
      r.sin.x[i] = one.sin;
      r.cos.x[i] = one.cos;
    }
    return r;
  }
};

template <class T>
using Four = std::conditional_t<std::is_floating_point_v<T>,
                                Pack<std::conditional_t<std::is_floating_point_v<T>, T, double>, 4>, FourOf<T>>;

template <class T>
ULNA_INLINE Four<T> four(const T& a, const T& b, const T& c, const T& d) {
  if constexpr (std::is_floating_point_v<T>) {
    return Four<T>(typename Four<T>::Vector{a, b, c, d});
  } else {
    Four<T> r;
    r.x = {a, b, c, d};
    return r;
  }
}

template <class T>
ULNA_INLINE Four<T> four_times(const T& a) {
  return four(a, a, a, a);
}

}  // namespace ulna
