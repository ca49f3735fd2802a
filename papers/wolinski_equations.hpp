// wolinski2015, sections 2 and 3 and the appendix: the equations as they are printed, evaluated for the KUKA.
#pragma once

#include "papers/chapter.hpp"

namespace ulna::reproduction {

Section wolinski_equations();

}  // namespace ulna::reproduction
