#define ULNA_SCALAR PackFloat
#include "all.hpp"
