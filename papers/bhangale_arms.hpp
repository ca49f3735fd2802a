// bhangale2004, sections 4 and 5: two planar and two spatial arms compared.
#pragma once

#include "papers/chapter.hpp"

namespace ulna::reproduction {

Section bhangale_planar_arms();
Section bhangale_spatial_arms();
Section bhangale_torques();
Section bhangale_time();

}  // namespace ulna::reproduction
