// wolinski2015, section 4.4: evaluations of the right-hand side and time, Table 1 and Figures 12 and 13.
#pragma once

#include "papers/chapter.hpp"

namespace ulna::reproduction {

Section wolinski_efficiency();

}  // namespace ulna::reproduction
