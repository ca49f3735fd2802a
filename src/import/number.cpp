#include "ulna/import/number.hpp"

#include <charconv>
#include <cmath>
#include <numbers>

namespace ulna {

namespace {
std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}
}  // namespace

std::optional<double> parse_number(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  double value = 0.0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc{} || !std::isfinite(value)) return std::nullopt;
  const std::string_view unit = trimmed(text.substr(static_cast<std::size_t>(end - text.data())));
  if (unit == "deg") return value * (std::numbers::pi / 180.0);
  if (unit.empty() || unit == "rad") return value;
  return std::nullopt;
}

bool is_angle(std::string_view text) {
  text = trimmed(text);
  return text.ends_with("deg") || text.ends_with("rad");
}

std::optional<NamedRange> parse_named_range(const std::string& text) {
  const std::size_t equals = text.find('='), dots = text.find("..", equals == std::string::npos ? 0 : equals);
  if (equals == std::string::npos || dots == std::string::npos) return std::nullopt;
  std::string from = text.substr(equals + 1, dots - equals - 1);
  const std::string to = text.substr(dots + 2);
  if (to.ends_with("deg") && !is_angle(from)) from += "deg";
  return NamedRange{text.substr(0, equals), parse_number(from), parse_number(to), is_angle(from) || is_angle(to)};
}

}  // namespace ulna
