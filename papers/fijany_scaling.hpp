// fijany_bejczy, section IV.B: how accuracy, time and the critical path go with the number of links.
#pragma once

#include "papers/chapter.hpp"

namespace ulna::reproduction {

Section fijany_exactness();
Section fijany_accuracy();
Section fijany_critical_path();
Section fijany_serial_cost();
Section fijany_time();

}  // namespace ulna::reproduction
