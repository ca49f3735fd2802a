// Every algorithm of the library, compiled for ULNA_SCALAR. One file beside this per scalar, so
// that the scalars compile in parallel and no compiler needs much memory; two for a scalar that takes long.
#include "classics.hpp"
#include "papers.hpp"
