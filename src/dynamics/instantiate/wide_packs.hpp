// The packs that fill AVX-512's registers. Batches use them where the library is compiled for those;
// they are no scalars of the library, because its other builds lack them.
#pragma once

#include "ulna/real/pack.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

#if defined(__AVX512F__)
#define ULNA_WIDE_PACKS
using WidePackDouble = Pack<double, 8>;
using WidePackFloat = Pack<float, 16>;
#endif

}  // namespace ulna
#pragma GCC visibility pop
