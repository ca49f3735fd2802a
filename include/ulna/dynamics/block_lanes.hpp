// Vectors and blocks of four systems side by side in the lanes of packs, and one lane of them.
#pragma once

#include "ulna/dynamics/block.hpp"
#include "ulna/real/pack.hpp"

namespace ulna::dense {

template <std::size_t n>
ULNA_INLINE void side_by_side(std::array<Pack<double, 4>, n>& out, const std::array<double, n>& a,
                              const std::array<double, n>& b, const std::array<double, n>& c,
                              const std::array<double, n>& d) {
  for (std::size_t e = 0; e < n; ++e) out[e] = Pack<double, 4>(Pack<double, 4>::Vector{a[e], b[e], c[e], d[e]});
}
template <int n>
ULNA_INLINE void side_by_side(Block<Pack<double, 4>, n>& out, const Block<double, n>& a, const Block<double, n>& b,
                              const Block<double, n>& c, const Block<double, n>& d) {
  side_by_side(out.m, a.m, b.m, c.m, d.m);
}

template <std::size_t n>
ULNA_INLINE void take_lane(const std::array<Pack<double, 4>, n>& in, int lane, std::array<double, n>& out) {
  for (std::size_t e = 0; e < n; ++e) out[e] = in[e][lane];
}
template <int n>
ULNA_INLINE void take_lane(const Block<Pack<double, 4>, n>& in, int lane, Block<double, n>& out) {
  take_lane(in.m, lane, out.m);
}

}  // namespace ulna::dense
