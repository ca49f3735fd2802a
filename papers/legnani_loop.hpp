// legnani1996, sections 2.2 and 5: the closed loop.
#pragma once

#include "papers/chapter.hpp"

namespace ulna::reproduction {

Section legnani_loop();

}  // namespace ulna::reproduction
