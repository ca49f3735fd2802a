// What a scenario must not ask for beside compiled code.
#pragma once

#include "ulna/base/error.hpp"
#include "ulna/study/scenario.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

inline void expect_no_method(const Scenario& scenario) {
  if (scenario.method == "auto") return;
  throw InputError("compiled code is by the cheapest formulation; leave out the method '" + scenario.method + "'");
}

}  // namespace ulna
#pragma GCC visibility pop
