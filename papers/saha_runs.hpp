// saha2001, section 4: free fall and forced runs.
#pragma once

#include "papers/chapter.hpp"

namespace ulna::reproduction {

Section saha_planar_arm();
Section saha_free_fall();
Section saha_gravity();
Section saha_forced();
Section saha_tip();
Section saha_deviation();

}  // namespace ulna::reproduction
