// wolinski2015, section 4.3: the comparison with another engine, Figures 7, 9 and 11.
#pragma once

#include "papers/chapter.hpp"

namespace ulna::reproduction {

Section wolinski_other_engine();

}  // namespace ulna::reproduction
