// saha2001, Table I and the operations in the braces of its steps.
#pragma once

#include "papers/chapter.hpp"

namespace ulna::reproduction {

Section saha_table_one();
Section saha_step_counts();

}  // namespace ulna::reproduction
