// The check of every option that is a number of threads.
#pragma once

#include <string>

#include "ulna/base/error.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

inline void expect_threads(int threads) {
  if (threads < 0) throw InputError(std::to_string(threads) + " threads cannot work");
}

}  // namespace ulna
#pragma GCC visibility pop
