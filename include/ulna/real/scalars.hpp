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

/// Declares an algorithm's templates for each of them, by its macro X(extern, scalar). src/dynamics/instantiate
/// compiles them, one file per scalar, by X(, scalar).
// clang-format off
#define ULNA_EXTERN_TEMPLATES(X) ULNA_EXTERN_DERIVATIVES(X) X(extern, ::ulna::Dual4)
/// For what gives derivatives itself, and is not differentiated again.
#define ULNA_EXTERN_DERIVATIVES(X)                                                              \
  X(extern, double) X(extern, float) X(extern, ::ulna::PackDouble) X(extern, ::ulna::PackFloat) \
  X(extern, ::ulna::Trace)
// clang-format on
