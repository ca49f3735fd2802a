#include "path_text.hpp"

#include <fmt/format.h>

#include <charconv>
#include <string_view>

#include "base/plain_text.hpp"

namespace ulna {

namespace {
constexpr std::string_view scheme = "file://";
}

std::string path_text(const std::string& path) {
  if (is_utf8(path)) return path;
  constexpr std::string_view plain = "/-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  std::string text(scheme);
  for (const char c : path)
    text += plain.find(c) != std::string_view::npos ? std::string(1, c)
                                                    : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  return text;
}

std::string path_of_text(const std::string& text) {
  if (!text.starts_with(scheme)) return text;
  std::string path;
  for (std::size_t k = scheme.size(); k < text.size(); ++k) {
    unsigned char byte = 0;
    const char* const first = text.data() + k + 1;
    const bool coded =
        text[k] == '%' && k + 2 < text.size() && std::from_chars(first, first + 2, byte, 16).ptr == first + 2;
    path += coded ? static_cast<char>(byte) : text[k];
    if (coded) k += 2;
  }
  return path;
}

}  // namespace ulna
