#include "wide_packs.hpp"
#ifdef ULNA_WIDE_PACKS
#define ULNA_SCALAR WidePackFloat
#include "all.hpp"
#endif
