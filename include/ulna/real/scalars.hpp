// The scalars that the compiled library holds every algorithm for. Another scalar works too:
// include the algorithm's `…_impl.hpp` and it is instantiated where it is used.
#pragma once

#include "ulna/real/dual.hpp"
#include "ulna/real/pack.hpp"
#include "ulna/real/real.hpp"
#include "ulna/real/trace.hpp"

namespace ulna {

using PackDouble = Pack<double, 4>;
using PackFloat = Pack<float, 8>;
using Dual4 = Dual<4>;

static_assert(Real<double> && Real<float> && Real<PackDouble> && Real<PackFloat> && Real<Dual4> && Real<Trace>);

}  // namespace ulna

/// Applies X(scalar) to each of them: the one list behind `extern template` and its instances.
#define ULNA_FOR_EACH_SCALAR(X) \
  X(double) X(float) X(::ulna::PackDouble) X(::ulna::PackFloat) X(::ulna::Dual4) X(::ulna::Trace)
