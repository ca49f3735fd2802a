// What one core can do at most: fused multiply-adds on registers alone.
#pragma once

namespace ulna::bench {

/// GFLOP/s in double precision, the best of the vector widths that this processor has, measured for a
/// millisecond; single precision does twice as many. 0 on processors that this does not know.
double fma_peak();

}  // namespace ulna::bench
