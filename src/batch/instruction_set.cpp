#include "ulna/batch/instruction_set.hpp"

namespace ulna {

std::string_view instruction_set() {
#if defined(__AVX512F__) && defined(__AVX512VL__)
  return "x86-64-v4";
#elif defined(__AVX2__)
  return "x86-64-v3";
#elif defined(__x86_64__)
  return "x86-64";
#elif defined(__aarch64__)
  return "aarch64";
#else
  return "generic";
#endif
}

}  // namespace ulna
