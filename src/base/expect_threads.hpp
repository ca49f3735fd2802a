// The check of every option that is a number of threads.
#pragma once

#include <string>

#include "ulna/base/error.hpp"

namespace ulna {

inline void expect_threads(int threads) {
  if (threads < 0) throw InputError(std::to_string(threads) + " threads cannot work");
}

}  // namespace ulna
