#include "wide_packs.hpp"
#ifdef ULNA_WIDE_PACKS
#define ULNA_SCALAR WidePackDouble
#include "all.hpp"
#endif
