#include "level_packs.hpp"
#ifdef ULNA_LEVEL_PACKS
#define ULNA_SCALAR LevelPackFloat
#include "all.hpp"
#endif
