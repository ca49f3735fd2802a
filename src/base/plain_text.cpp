#include "plain_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ulna {

namespace {

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

/// Controls of terminals, and marks that turn the direction of what follows.
bool is_command(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c <= 0x9F) || c == 0x200E || c == 0x200F || (c >= 0x2028 && c <= 0x202E) ||
         (c >= 0x2066 && c <= 0x2069);
}

}  // namespace

Letter first_letter(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return {0, 0};
  char32_t code = lead & (0xFFU >> (bytes + 1));
  for (std::size_t k = 1; k < bytes; ++k) {
    if (!is_continuation(text[k])) return {0, 0};
    code = (code << 6U) | (static_cast<unsigned char>(text[k]) & 0x3FU);
  }
  constexpr std::array<char32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};  // less could be said in fewer bytes
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < least[bytes] || surrogate || code > 0x10FFFF) return {0, 0};
  return {code, bytes};
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t bytes = first_letter(text).bytes;
    if (bytes == 0) return false;
    text.remove_prefix(bytes);
  }
  return true;
}

std::string plain_text(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const auto plain = std::find_if_not(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
    out.append(text.begin(), plain);  // most of it, at once
    text.remove_prefix(static_cast<std::size_t>(plain - text.begin()));
    if (text.empty()) break;
    const Letter letter = first_letter(text);
    if (letter.bytes == 0)
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
    else if (letter.code == '\n' || letter.code == '\r' || letter.code == '\t')
      out += ' ';
    else if (is_command(letter.code))
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(letter.code));
    else
      out += text.substr(0, letter.bytes);
    text.remove_prefix(letter.bytes == 0 ? 1 : letter.bytes);
  }
  return out;
}

std::string shortened(std::string text) {
  constexpr std::size_t longest = 600, first = 400, last = 160;
  if (text.size() <= longest) return text;
  std::size_t from = first, to = text.size() - last;
  while (is_continuation(text[from])) --from;
  while (to < text.size() && is_continuation(text[to])) ++to;
  return fmt::format("{} … {}", text.substr(0, from), text.substr(to));
}

}  // namespace ulna
