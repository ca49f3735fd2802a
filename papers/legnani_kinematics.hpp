// legnani1996, sections 2.1, 4.1, 6 and 9: the kinematic matrices of the Stanford arm.
#pragma once

#include "papers/chapter.hpp"

namespace ulna::reproduction {

Section legnani_kinematics();

}  // namespace ulna::reproduction
