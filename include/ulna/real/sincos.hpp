// sin and cos together, for one number or a pack of them, by one branch-free algorithm.
//
// libm's sincos takes 13 ns per angle, as long as a whole inverse dynamics takes per joint, and
// has no vector form in Debian. This one: Cody–Waite reduction by π/2 in four parts of 33, 33, 33
// and 53 bits (the products n·part are exact for |x| ≤ 1e5), the lost low bits kept in a second
// word, then the kernels of fdlibm on [−π/4, π/4]. Error below 1 ulp for |x| ≤ 1e5
// (test/real/sincos_test.cpp measures it); beyond that, and for NaN and infinities, libm.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <span>

#include "ulna/real/basic.hpp"
#include "ulna/real/pack.hpp"

namespace ulna {

namespace sincos_detail {

inline constexpr double reduction_limit = 1e5;

/// An angle as high + low = x − quadrant·π/2, |high| ≤ π/4.
template <class D>
struct Reduced {
  D high;
  D low;
  D quadrant;  // the integer, as bits of 1.5·2^52 + n: see `odd` and `negative`
};

template <class D>
ULNA_INLINE void subtract_exactly(D& sum, D& error, const D& w) {  // Knuth's two-sum
  const D t = sum - w;
  const D back = t - sum;
  error += (sum - (t - back)) - (w + back);
  sum = t;
}

template <class D>
ULNA_INLINE Reduced<D> reduce(const D& x) {
  const D two_over_pi(0.63661977236758134308);
  const D shifter(6755399441055744.0);  // 1.5·2^52: adding it rounds to an integer
  const D quadrant = x * two_over_pi + shifter;
  const D n = quadrant - shifter;
  D high = x - n * D(0x1.921fb544p+0);
  D low(0.0);
  subtract_exactly(high, low, n * D(0x1.0b4611a6p-34));
  subtract_exactly(high, low, n * D(0x1.3198a2ep-69));
  low -= n * D(0x1.b839a252049c1p-104);
  const D y = high + low;
  return {y, (high - y) + low, quadrant};
}

// fdlibm's __kernel_sin and __kernel_cos, for x + y with y the tail of x.
template <class D>
ULNA_INLINE D kernel_sin(const D& x, const D& y) {
  const D z = x * x;
  const D v = z * x;
  const D r = D(8.33333333332248946124e-03) +
              z * (D(-1.98412698298579493134e-04) +
                   z * (D(2.75573137070700676789e-06) +
                        z * (D(-2.50507602534068634195e-08) + z * D(1.58969099521155010221e-10))));
  return x - ((z * (D(0.5) * y - v * r) - y) - v * D(-1.66666666666666324348e-01));
}

template <class D>
ULNA_INLINE D kernel_cos(const D& x, const D& y) {
  const D z = x * x;
  const D r = z * (D(4.16666666666666019037e-02) +
                   z * (D(-1.38888888888741095749e-03) +
                        z * (D(2.48015872894767294178e-05) +
                             z * (D(-2.75573143513906633035e-07) +
                                  z * (D(2.08757232129817482790e-09) + z * D(-1.13596475577881948265e-11))))));
  const D half = D(0.5) * z;
  const D w = D(1.0) - half;
  return w + (((D(1.0) - w) - half) + (z * r - x * y));
}

// Single precision: the reduced angle is a float, minimax kernels of Cephes (sinf, cosf).
template <class F>
ULNA_INLINE F kernel_sinf(const F& x) {
  const F z = x * x;
  const F r = F(-1.6666654611e-1) + z * (F(8.3321608736e-3) + z * F(-1.9515295891e-4));
  return x + x * z * r;
}

template <class F>
ULNA_INLINE F kernel_cosf(const F& x) {
  const F z = x * x;
  const F r = F(4.166664568298827e-2) + z * (F(-1.388731625493765e-3) + z * F(2.443315711809948e-5));
  return F(1.0) - F(0.5) * z + z * z * r;
}

ULNA_INLINE std::int64_t bits_of(double x) { return std::bit_cast<std::int64_t>(x); }
ULNA_INLINE double xor_sign(double x, std::int64_t mask) { return std::bit_cast<double>(bits_of(x) ^ mask); }

template <int N>
ULNA_INLINE auto bits_of(const Pack<double, N>& x) {
  return std::bit_cast<typename PackMask<double, N>::Vector>(x.v);
}
template <int N, class Bits>
ULNA_INLINE Pack<double, N> xor_sign(const Pack<double, N>& x, const Bits& mask) {
  return Pack<double, N>(std::bit_cast<typename Pack<double, N>::Vector>(bits_of(x) ^ mask));
}
ULNA_INLINE double pick(std::int64_t take_b, double a, double b) { return take_b != 0 ? b : a; }
template <int N, class Bits>
ULNA_INLINE Pack<double, N> pick(const Bits& take_b, const Pack<double, N>& a, const Pack<double, N>& b) {
  return Pack<double, N>((take_b != 0) ? b.v : a.v);
}

/// sin and cos of the whole angle from those of the reduced one.
template <class D>
ULNA_INLINE SinCos<D> turn_back(const D& quadrant, const D& s, const D& c) {
  const auto n = bits_of(quadrant);
  const auto odd = n & 1;
  return {xor_sign(pick(odd, s, c), (n & 2) << 62), xor_sign(pick(odd, c, s), ((n + 1) & 2) << 62)};
}

template <class D>
ULNA_INLINE SinCos<D> in_range(const D& x) {
  const Reduced<D> r = reduce(x);
  return turn_back(r.quadrant, kernel_sin(r.high, r.low), kernel_cos(r.high, r.low));
}

template <std::floating_point S>
[[gnu::noinline, gnu::cold]] inline SinCos<S> by_libm(S x) {
  return {std::sin(x), std::cos(x)};
}

/// In the lanes that are out of range, and in no other: what a lane gives must not depend on its neighbours.
template <class S, int N>
[[gnu::noinline, gnu::cold]] inline void replace_by_libm(const Pack<S, N>& x, SinCos<Pack<S, N>>& r) {
  for (int i = 0; i < N; ++i) {
    if (std::fabs(x[i]) < static_cast<S>(reduction_limit)) continue;
    r.sin.set(i, std::sin(x[i]));
    r.cos.set(i, std::cos(x[i]));
  }
}

/// NaN counts as outside.
template <class S, int N>
ULNA_INLINE bool all_in_range(const Pack<S, N>& x) {
  const Pack<S, N> limit(reduction_limit);
  return !any(PackMask<S, N>{~((-limit < x).bits & (x < limit).bits)});
}

}  // namespace sincos_detail

ULNA_INLINE SinCos<double> sincos(double x) {
  if (!(std::fabs(x) <= sincos_detail::reduction_limit)) return sincos_detail::by_libm(x);
  return sincos_detail::in_range(x);
}

template <int N>
ULNA_INLINE SinCos<Pack<double, N>> sincos(const Pack<double, N>& x) {
  SinCos<Pack<double, N>> r = sincos_detail::in_range(x);
  if (!sincos_detail::all_in_range(x)) sincos_detail::replace_by_libm(x, r);
  return r;
}

/// Single precision reduces in double (a float has too few bits to carry n·π/2).
ULNA_INLINE SinCos<float> sincos(float x) {
  using namespace sincos_detail;
  if (!(std::fabs(x) <= static_cast<float>(reduction_limit))) return by_libm(x);
  const Reduced<double> r = reduce(static_cast<double>(x));
  const auto y = static_cast<float>(r.high);
  const SinCos<double> t =
      turn_back(r.quadrant, static_cast<double>(kernel_sinf(y)), static_cast<double>(kernel_cosf(y)));
  return {static_cast<float>(t.sin), static_cast<float>(t.cos)};
}

template <int N>
ULNA_INLINE SinCos<Pack<float, N>> sincos(const Pack<float, N>& x) {
  using namespace sincos_detail;
  const Reduced<Pack<double, N>> r = reduce(convert<double>(x));
  const Pack<float, N> y = convert<float>(r.high);
  const SinCos<Pack<double, N>> t =
      turn_back(r.quadrant, convert<double>(kernel_sinf(y)), convert<double>(kernel_cosf(y)));
  SinCos<Pack<float, N>> result{convert<float>(t.sin), convert<float>(t.cos)};
  if (!all_in_range(x)) replace_by_libm(x, result);
  return result;
}

#if defined(__AVX512F__)
inline constexpr std::size_t angles_per_pack = 8;
#else
inline constexpr std::size_t angles_per_pack = 4;  // more would spill
#endif

/// All angles of one state. For `double` several joints share a pack, which the loop over joints in
/// an algorithm could not do (so pad to a multiple of eight); other scalars go one by one.
template <class T>
ULNA_INLINE void sincos(std::span<const T> x, std::span<T> s, std::span<T> c) {
  std::size_t i = 0;
  if constexpr (std::is_same_v<T, double>) {
    for (; i + angles_per_pack <= x.size(); i += angles_per_pack) {
      const auto r = sincos(Pack<double, angles_per_pack>::load(&x[i]));
      r.sin.store(&s[i]);
      r.cos.store(&c[i]);
    }
  }
  for (; i < x.size(); ++i) {
    const SinCos<T> r = sincos(x[i]);
    s[i] = r.sin;
    c[i] = r.cos;
  }
}

}  // namespace ulna
