#include "ulna/base/number.hpp"

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

bool take_unit(std::string_view& text, std::string_view unit) {
  text = trimmed(text);
  if (!text.ends_with(unit)) return false;
  text.remove_suffix(unit.size());
  return true;
}
}  // namespace

std::optional<double> parse_number(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  double value = 0.0;
  const char* const behind = text.data() + text.size();
  const auto [end, status] = std::from_chars(text.data(), behind, value);
  if (status != std::errc{} || end != behind || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<double> parse_angle(std::string_view text) {
  if (take_unit(text, "deg")) {
    const std::optional<double> degrees = parse_number(text);
    return degrees ? std::optional(*degrees * (std::numbers::pi / 180.0)) : std::nullopt;
  }
  take_unit(text, "rad");
  return parse_number(text);
}

bool is_angle(std::string_view text) { return take_unit(text, "deg") || take_unit(text, "rad"); }

std::optional<NamedRange> parse_named_range(const std::string& text) {
  const std::size_t equals = text.find('='), dots = text.find("..", equals == std::string::npos ? 0 : equals);
  if (equals == std::string::npos || dots == std::string::npos) return std::nullopt;
  std::string from = text.substr(equals + 1, dots - equals - 1);
  const std::string to = text.substr(dots + 2);
  if (to.ends_with("deg") && !is_angle(from)) from += "deg";
  return NamedRange{text.substr(0, equals), parse_angle(from), parse_angle(to), is_angle(from) || is_angle(to)};
}

}  // namespace ulna
