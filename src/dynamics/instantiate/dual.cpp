#define ULNA_SCALAR Dual4
#define ULNA_WITHOUT_DERIVATIVES
#include "classics.hpp"
