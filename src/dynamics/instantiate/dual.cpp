#define ULNA_SCALAR Dual4
#include "classics.hpp"
