#include "page_data.hpp"

#include <algorithm>

namespace ulna {

namespace {

std::string letters_of(const void* data, std::size_t size) {
  static constexpr char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto* bytes = static_cast<const unsigned char*>(data);
  std::string out;
  out.reserve((size + 2) / 3 * 4);
  for (std::size_t i = 0; i < size; i += 3) {
    const std::size_t left = std::min<std::size_t>(3, size - i);
    unsigned group = 0;
    for (std::size_t k = 0; k < 3; ++k) group = group << 8 | (k < left ? bytes[i + k] : 0u);
    for (std::size_t k = 0; k < 4; ++k) out += k <= left ? letters[group >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

}  // namespace

std::string base64(std::span<const float> values) { return letters_of(values.data(), values.size_bytes()); }
std::string base64(std::span<const double> values) { return letters_of(values.data(), values.size_bytes()); }
std::string base64(std::span<const std::uint16_t> values) { return letters_of(values.data(), values.size_bytes()); }

std::string fill_page(std::string_view page, std::string_view json) {
  static constexpr std::string_view placeholder = "/*ULNA_DATA*/";
  const std::size_t at = page.find(placeholder);
  std::string html(page.substr(0, at));
  for (const char c : json) {  // nothing in the data may end the script
    if (c == '<')
      html += "\\u003c";
    else
      html += c;
  }
  html += page.substr(at + placeholder.size());
  return html;
}

}  // namespace ulna
