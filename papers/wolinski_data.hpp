// wolinski2015, the data of the model: Table 2, the lengths, and the gravity that is not stated.
#pragma once

#include "papers/chapter.hpp"

namespace ulna::reproduction {

Section wolinski_data();

}  // namespace ulna::reproduction
