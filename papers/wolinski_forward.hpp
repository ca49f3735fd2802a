// wolinski2015, section 4.3: forward dynamics under the PD drive, Figures 6, 8 and 10.
#pragma once

#include "papers/chapter.hpp"

namespace ulna::reproduction {

Section wolinski_forward();

}  // namespace ulna::reproduction
