#define ULNA_SCALAR PackDouble
#include "all.hpp"
