// legnani1996, sections 2.3, 3 and 4.2: Newton–Euler and Lagrange by matrices.
#pragma once

#include "papers/chapter.hpp"

namespace ulna::reproduction {

Section legnani_dynamics();

}  // namespace ulna::reproduction
