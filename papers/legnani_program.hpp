// legnani1996, sections 6 and 7: the sample program, the output that came with it, and its operations.
#pragma once

#include "papers/chapter.hpp"

namespace ulna::reproduction {

Section legnani_program();

}  // namespace ulna::reproduction
