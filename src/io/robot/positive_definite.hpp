// Whether a tensor is positive definite.
#pragma once

#include "ulna/spatial/mat3.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

/// With `slack` on its diagonal; by the pivots of its factor.
inline bool is_positive_definite(const Sym3<double>& a, double slack) {
  const double d1 = a.xx + slack, l21 = a.xy / d1, l31 = a.xz / d1;
  const double d2 = a.yy + slack - l21 * a.xy, l32 = (a.yz - l21 * a.xz) / d2;
  const double d3 = a.zz + slack - l31 * a.xz - l32 * l32 * d2;
  return d1 > 0.0 && d2 > 0.0 && d3 > 0.0;
}

}  // namespace ulna
#pragma GCC visibility pop
