#define ULNA_SCALAR float
#include "all.hpp"
