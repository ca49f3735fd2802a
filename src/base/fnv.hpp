// FNV-1a: a number for a text, the same on every machine. Tells changes, not forgeries.
#pragma once

#include <cstdint>
#include <string_view>

#pragma GCC visibility push(hidden)
namespace ulna {

inline constexpr std::uint64_t fnv1a_start = 0xcbf29ce484222325ULL;

/// `hash`: of what came before, for a text in parts.
inline std::uint64_t fnv1a(std::string_view text, std::uint64_t hash = fnv1a_start) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return hash;
}

}  // namespace ulna
#pragma GCC visibility pop
