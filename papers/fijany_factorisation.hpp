// fijany_bejczy, sections III and IV and the appendix: M⁻¹ as a Schur complement, fixed and floating base.
#pragma once

#include "papers/chapter.hpp"

namespace ulna::reproduction {

Section fijany_factorisation();
Section fijany_floating_base();

}  // namespace ulna::reproduction
