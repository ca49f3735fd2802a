// Text as XML and HTML want it, in elements and in attributes.
#pragma once

#include <string>

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

}  // namespace ulna
#pragma GCC visibility pop
