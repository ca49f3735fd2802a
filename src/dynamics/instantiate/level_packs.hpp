// The packs that fill the registers of the level that a file is compiled for, where those of the library do not: wider
// with AVX-512, narrower without AVX, where packs of four doubles are slower than single states. Batches use them; they
// are no scalars of the library, because its other builds lack them.
#pragma once

#include "ulna/real/pack.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

#if defined(__AVX512F__)
#define ULNA_LEVEL_PACKS
using LevelPackDouble = Pack<double, 8>;
using LevelPackFloat = Pack<float, 16>;
#elif !defined(__AVX__)
#define ULNA_LEVEL_PACKS
using LevelPackDouble = Pack<double, 2>;
using LevelPackFloat = Pack<float, 4>;
#endif

}  // namespace ulna
#pragma GCC visibility pop
