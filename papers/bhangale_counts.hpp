// bhangale2004, section 3: operations of the inertia and convective matrices, and the formulas behind them.
#pragma once

#include "papers/chapter.hpp"

namespace ulna::reproduction {

Section bhangale_elements();
Section bhangale_complexities();
Section bhangale_appendix();

}  // namespace ulna::reproduction
