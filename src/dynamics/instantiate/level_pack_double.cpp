#include "level_packs.hpp"
#ifdef ULNA_LEVEL_PACKS
#define ULNA_SCALAR LevelPackDouble
#include "all.hpp"
#endif
