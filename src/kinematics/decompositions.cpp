#include "decompositions.hpp"

ULNA_DECOMPOSITIONS()
