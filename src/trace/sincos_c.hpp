// sin and cos of generated code: the algorithm of real/sincos.hpp in GNU C, four angles at a time,
// so that a generated file needs nothing of ours.
#pragma once

namespace ulna::trace {

inline constexpr const char* sincos_c =
    R"C(/* sin and cos of four angles at once: Cody-Waite reduction by pi/2 in four parts, then polynomials
   on [-pi/4, pi/4]; error below 1 ulp for |x| <= 1e5, beyond that the library's sin and cos. */
#ifndef ULNA_V4
#define ULNA_V4
typedef double ulna_v4 __attribute__((vector_size(32)));
#endif
typedef long long ulna_i4 __attribute__((vector_size(32)));

static inline void ulna_minus(ulna_v4 *sum, ulna_v4 *error, const ulna_v4 *by) {
  const ulna_v4 w = *by;
  const ulna_v4 t = *sum - w;
  const ulna_v4 back = t - *sum;
  *error += (*sum - (t - back)) - (w + back);
  *sum = t;
}

static inline void ulna_sincos(const ulna_v4 *at, ulna_v4 *sine, ulna_v4 *cosine) {
  const ulna_v4 x = *at;
  const ulna_i4 inside = (x < 1e5) & (x > -1e5);
  if (!(inside[0] & inside[1] & inside[2] & inside[3])) {
    int k;
    for (k = 0; k < 4; ++k) {
      (*sine)[k] = sin(x[k]);
      (*cosine)[k] = cos(x[k]);
    }
    return;
  }
  const ulna_v4 quadrant = x * 0.63661977236758134308 + 6755399441055744.0;
  const ulna_v4 n = quadrant - 6755399441055744.0;
  ulna_v4 high = x - n * 0x1.921fb544p+0;
  ulna_v4 low = {0.0, 0.0, 0.0, 0.0};
  const ulna_v4 second = n * 0x1.0b4611a6p-34, third = n * 0x1.3198a2ep-69;
  ulna_minus(&high, &low, &second);
  ulna_minus(&high, &low, &third);
  low -= n * 0x1.b839a252049c1p-104;
  const ulna_v4 y = high + low;
  const ulna_v4 tail = (high - y) + low;
  const ulna_v4 z = y * y;
  const ulna_v4 v = z * y;
  const ulna_v4 rs =
      8.33333333332248946124e-03 +
      z * (-1.98412698298579493134e-04 +
           z * (2.75573137070700676789e-06 + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)));
  const ulna_v4 s = y - ((z * (0.5 * tail - v * rs) - tail) - v * -1.66666666666666324348e-01);
  const ulna_v4 rc =
      z * (4.16666666666666019037e-02 +
           z * (-1.38888888888741095749e-03 +
                z * (2.48015872894767294178e-05 +
                     z * (-2.75573143513906633035e-07 + z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11)))));
  const ulna_v4 half = 0.5 * z;
  const ulna_v4 w = 1.0 - half;
  const ulna_v4 c = w + (((1.0 - w) - half) + (z * rc - y * tail));
  const ulna_i4 bits = (ulna_i4)quadrant;
  const ulna_i4 odd = -(bits & 1);
  *sine = (ulna_v4)((((ulna_i4)s & ~odd) | ((ulna_i4)c & odd)) ^ ((bits & 2) << 62));
  *cosine = (ulna_v4)((((ulna_i4)c & ~odd) | ((ulna_i4)s & odd)) ^ (((bits + 1) & 2) << 62));
}
)C";

}  // namespace ulna::trace
