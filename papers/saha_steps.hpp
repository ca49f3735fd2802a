// saha2001, sections 2 and 3: the decomposition and its steps, as printed and as corrected.
#pragma once

#include "papers/chapter.hpp"

namespace ulna::reproduction {

Section saha_decomposition();
Section saha_printed_steps();
Section saha_puma_data();

}  // namespace ulna::reproduction
