#define ULNA_SCALAR Trace
#include "all.hpp"
