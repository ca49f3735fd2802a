// The check at the door of every algorithm: a span has as many numbers as the model wants.
#pragma once

#include <stdexcept>
#include <string>

#include "ulna/real/basic.hpp"

namespace ulna {

[[noreturn, gnu::cold]] inline void wrong_size(const char* what, std::size_t has, std::size_t wants) {
  throw std::invalid_argument(std::string(what) + " has " + std::to_string(has) + (has == 1 ? " number" : " numbers") +
                              ", the model needs " + std::to_string(wants));
}

ULNA_INLINE void expect_size(const char* what, std::size_t has, int wants) {
  if (has != static_cast<std::size_t>(wants)) wrong_size(what, has, static_cast<std::size_t>(wants));
}

}  // namespace ulna
