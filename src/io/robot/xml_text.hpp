// Text as XML and HTML want it, in elements and in attributes.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "ulna/base/error.hpp"
#include "ulna/spatial/vec3.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

inline std::string escaped_xml(const std::string& text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&apos;"; break;
      default: out += c;
    }
  }
  return out;
}

/// Of a name of a robot. Throws InputError for one that XML cannot hold.
inline std::string xml_name(const std::string& name) {
  if (std::any_of(name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; }))
    throw InputError(
        fmt::format("the name '{}' holds a control character, for which XML has no place; write TOML instead", name));
  return escaped_xml(name);
}

/// Adding zero turns −0 into 0.
inline std::string xml_triple(const Vec3<double>& a) {
  return fmt::format("{} {} {}", a.x + 0.0, a.y + 0.0, a.z + 0.0);
}

}  // namespace ulna
#pragma GCC visibility pop
