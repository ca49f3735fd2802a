// sin and cos together, for one number or a pack of them, by one branch-free algorithm.
//
// libm's sincos takes 13 ns per angle, as long as a whole inverse dynamics takes per joint, and
// has no vector form in Debian. This one: Cody–Waite reduction by π/2 in three parts of 37, 37 and
// 53 bits (the products of n with the first two are exact for |x| ≤ 1e5), then the polynomials of
// fdlibm on [−π/4, π/4]. Error below 1.6 ulp for |x| ≤ 1e5, of floats, which are reduced in floats, for
// |x| ≤ 3000 (test/real/sincos_test.cpp measures it); beyond that, and for NaN and infinities, libm, in those lanes
// alone.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>

#include "ulna/real/basic.hpp"
#include "ulna/real/bit_cast.hpp"
#include "ulna/real/pack.hpp"

namespace ulna {

namespace sincos_detail {

template <std::floating_point S>
inline constexpr S reduction_limit = static_cast<S>(sizeof(S) == 8 ? 1e5 : 3e3);

/// x = angle + quadrant·π/2, |angle| ≤ π/4.
template <class D>
struct Reduced {
  D angle;
  D quadrant;  // the integer, as the low bits of 1.5·2^52 + n, of 1.5·2^23 + n in a float: see turn_back
};

/// The first difference is exact, the others round: the angle is within 1 ulp. Where it almost
/// vanishes, next to multiples of π/2, the second difference is exact too, and the third part
/// brings π/2 to 2⁻¹³⁰, for angles down to 2⁻⁵⁵.
template <class D>
ULNA_INLINE Reduced<D> reduce(const D& x) {
  const D two_over_pi(0.63661977236758134308);
  const D shifter(6755399441055744.0);  // 1.5·2^52: adding it rounds to an integer
  const D quadrant = x * two_over_pi + shifter;
  const D n = quadrant - shifter;
  const D angle = ((x - n * D(0x1.921fb5444p+0)) - n * D(0x1.68c234c4cp-39)) - n * D(0x1.98a2e03707345p-77);
  return {angle, quadrant};
}

/// The same for floats, by parts of 12, 13, 14 and 14 bits. Their products with n, of 11 bits, are exact but for the
/// last bit of those of the last two, fused or not. The second difference rounds where the angle is not small: what it
/// loses goes into the third, which is exact where the angle almost vanishes.
template <class F>
ULNA_INLINE Reduced<F> reduce_single(const F& x) {
  const F shifter(12582912.0);  // 1.5·2^23
  const F quadrant = x * F(0x1.45f306p-1) + shifter;
  const F n = quadrant - shifter;
  const F first = x - n * F(0x1.922p+0);
  const F second = first - n * F(-0x1.2afp-18);
  const F lost = (first - second) - n * F(-0x1.2afp-18);
  const F angle = (second + (lost - n * F(0x1.0b48p-34))) - n * F(-0x1.ee58p-50);
  return {angle, quadrant};
}

// The polynomials of fdlibm's __kernel_sin and __kernel_cos.
template <class D>
ULNA_INLINE D kernel_sin(const D& x) {
  const D z = x * x;
  const D r = D(-1.66666666666666324348e-01) +
              z * (D(8.33333333332248946124e-03) +
                   z * (D(-1.98412698298579493134e-04) +
                        z * (D(2.75573137070700676789e-06) +
                             z * (D(-2.50507602534068634195e-08) + z * D(1.58969099521155010221e-10)))));
  return x + (z * x) * r;
}

template <class D>
ULNA_INLINE D kernel_cos(const D& x) {
  const D z = x * x;
  const D r = D(4.16666666666666019037e-02) +
              z * (D(-1.38888888888741095749e-03) +
                   z * (D(2.48015872894767294178e-05) +
                        z * (D(-2.75573143513906633035e-07) +
                             z * (D(2.08757232129817482790e-09) + z * D(-1.13596475577881948265e-11)))));
  return D(1.0) + z * (D(-0.5) + z * r);
}

// Single precision: minimax kernels of Cephes (sinf, cosf).
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

/// The number of the quadrant as integers of the width of S, its low bits right.
template <class S>
using BitsOf = std::conditional_t<sizeof(S) == 8, std::int64_t, std::int32_t>;
template <std::floating_point S>
ULNA_INLINE BitsOf<S> bits_of(S quadrant) {
  return bit_cast<BitsOf<S>>(quadrant);
}
template <class S, int N>
ULNA_INLINE typename PackMask<S, N>::Vector bits_of(const Pack<S, N>& quadrant) {
  return bit_cast<typename PackMask<S, N>::Vector>(quadrant.v);
}

template <std::floating_point S>
ULNA_INLINE S xor_bits(S x, BitsOf<S> mask) {
  return bit_cast<S>(static_cast<BitsOf<S>>(bit_cast<BitsOf<S>>(x) ^ mask));
}
template <class S, int N, class Bits>
ULNA_INLINE Pack<S, N> xor_bits(const Pack<S, N>& x, const Bits& mask) {
  return Pack<S, N>(bit_cast<typename Pack<S, N>::Vector>(bit_cast<Bits>(x.v) ^ mask));
}
template <std::floating_point S>
ULNA_INLINE S pick(BitsOf<S> take_b, S a, S b) {
  return take_b != 0 ? b : a;
}
template <class S, int N, class Bits>
ULNA_INLINE Pack<S, N> pick(const Bits& take_b, const Pack<S, N>& a, const Pack<S, N>& b) {
  // by bits, because SSE2 compares no 64-bit integers
  const Bits of_a = bit_cast<Bits>(a.v), mask = -take_b;
  return xor_bits(a, Bits((of_a ^ bit_cast<Bits>(b.v)) & mask));
}

/// sin and cos of the whole angle from those of the reduced one.
template <class S, class D>
ULNA_INLINE SinCos<D> turn_back(const D& quadrant, const D& s, const D& c) {
  constexpr int to_sign = 8 * sizeof(S) - 2;
  const auto n = bits_of(quadrant);
  const auto odd = n & 1;
  return {xor_bits(pick(odd, s, c), (n & 2) << to_sign), xor_bits(pick(odd, c, s), ((n + 1) & 2) << to_sign)};
}

template <class D>
ULNA_INLINE SinCos<D> in_range(const D& x) {
  const Reduced<D> r = reduce(x);
  return turn_back<double>(r.quadrant, kernel_sin(r.angle), kernel_cos(r.angle));
}

template <class F>
ULNA_INLINE SinCos<F> in_range_single(const F& x) {
  const Reduced<F> r = reduce_single(x);
  return turn_back<float>(r.quadrant, kernel_sinf(r.angle), kernel_cosf(r.angle));
}
ULNA_INLINE SinCos<float> in_range(float x) { return in_range_single(x); }
template <int N>
ULNA_INLINE SinCos<Pack<float, N>> in_range(const Pack<float, N>& x) {
  return in_range_single(x);
}

template <std::floating_point S>
[[gnu::noinline, gnu::cold]] inline SinCos<S> by_libm(S x) {
  return {std::sin(x), std::cos(x)};
}

/// NaN counts as outside.
template <class S, int N>
ULNA_INLINE PackMask<S, N> outside(const Pack<S, N>& x) {
  const Pack<S, N> limit(reduction_limit<S>);
  return {~((-limit < x).bits & (x < limit).bits)};
}

/// Only in the lanes outside: what a lane gives never depends on the others.
template <class S, int N>
[[gnu::noinline, gnu::cold]] inline void mend(const Pack<S, N>& x, SinCos<Pack<S, N>>& r) {
  const PackMask<S, N> which = outside(x);
  for (int i = 0; i < N; ++i) {
    if (!which[i]) continue;
    r.sin.set(i, std::sin(x[i]));
    r.cos.set(i, std::cos(x[i]));
  }
}

}  // namespace sincos_detail

template <std::floating_point S>
ULNA_INLINE SinCos<S> sincos(S x) {
  if (!(std::fabs(x) < sincos_detail::reduction_limit<S>)) return sincos_detail::by_libm(x);
  return sincos_detail::in_range(x);
}

template <class S, int N>
ULNA_INLINE SinCos<Pack<S, N>> sincos(const Pack<S, N>& x) {
  SinCos<Pack<S, N>> r = sincos_detail::in_range(x);
  if (any(sincos_detail::outside(x))) sincos_detail::mend(x, r);
  return r;
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
