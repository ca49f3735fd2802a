// Which instructions the running library was compiled for. Where the library is shared, the system's
// loader has chosen the best build for this processor (doc/batch.md).
#pragma once

#include <string_view>

namespace ulna {

/// For people: "x86-64", "x86-64-v3" (AVX2), "x86-64-v4" (AVX-512), or the compiler's own name.
std::string_view instruction_set();

}  // namespace ulna
