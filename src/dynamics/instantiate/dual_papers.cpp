#define ULNA_SCALAR Dual4
#include "papers.hpp"
