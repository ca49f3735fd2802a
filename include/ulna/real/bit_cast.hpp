// std::bit_cast, also where the standard library lacks it (emscripten's).
#pragma once

#include <bit>

#include "ulna/real/basic.hpp"

namespace ulna {

#if defined(__cpp_lib_bit_cast)
using std::bit_cast;
#else
template <class To, class From>
ULNA_INLINE To bit_cast(const From& from) {
  return __builtin_bit_cast(To, from);
}
#endif

}  // namespace ulna
