#define ULNA_SCALAR double
#include "all.hpp"
