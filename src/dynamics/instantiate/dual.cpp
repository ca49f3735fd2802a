#define ULNA_SCALAR Dual4
#include "all.hpp"
