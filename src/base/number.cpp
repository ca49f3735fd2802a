#include "ulna/base/number.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <numbers>

namespace ulna {

namespace {
std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// All of the text as std::from_chars reads a number.
std::optional<double> read_number(std::string_view text) {
  double value = 0.0;
#if defined(__cpp_lib_to_chars)
  const char* const behind = text.data() + text.size();
  const auto [end, status] = std::from_chars(text.data(), behind, value);
  if (status != std::errc{} || end != behind) return std::nullopt;
#else  // emscripten's library: strtod takes more, and calls numbers next to zero an error
  if (text.empty() || text.find_first_of("xX+ \t\n\v\f\r") < text.find_first_of("eE")) return std::nullopt;
  const std::string copy(text);
  char* end = nullptr;
  errno = 0;
  value = std::strtod(copy.c_str(), &end);
  if (end != copy.c_str() + copy.size() || (errno == ERANGE && value == 0.0)) return std::nullopt;
#endif
  return value;
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
  const std::optional<double> value = read_number(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

double WrittenNumber::in_si() const { return unit == Unit::deg ? number * (std::numbers::pi / 180.0) : number; }

std::vector<double> JointNumbers::in_si() const {
  std::vector<double> values;
  values.reserve(size());
  for (const WrittenNumber& number : *this) values.push_back(number.in_si());
  return values;
}

WrittenNumber parse_written(std::string_view text, std::string_view where, const Source& source) {
  std::string_view digits = text;
  const bool degrees = take_unit(digits, "deg"), radians = !degrees && take_unit(digits, "rad");
  const std::optional<double> value = parse_number(digits);
  if (!value)
    throw InputError(source, fmt::format("{}: '{}' is not a finite number; write 1.5, or 90 deg for an angle", where,
                                         trimmed(text)));
  WrittenNumber number(*value);
  number.unit = degrees ? WrittenNumber::Unit::deg : radians ? WrittenNumber::Unit::rad : WrittenNumber::Unit::none;
  number.source = source;
  return number;
}

double resolve(const WrittenNumber& number, const NumberUse& use, std::string_view where) {
  if (!number.is_angle() || use.kind == NumberUse::Kind::angle) return number.in_si();
  const std::string slides = use.joint.empty() ? "" : fmt::format("'{}' slides, and ", use.joint);
  const char* unit = number.unit == WrittenNumber::Unit::deg ? "deg" : "rad";
  const char* remedy = use.kind == NumberUse::Kind::length ? "give metres" : "give a number without a unit";
  throw InputError(number.source,
                   fmt::format("{}: {}{} {} is an angle; {}", where, slides, number.number, unit, remedy));
}

std::optional<std::pair<WrittenNumber, WrittenNumber>> parse_range(std::string_view text, std::string_view where,
                                                                   const Source& source) {
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) return std::nullopt;
  WrittenNumber from = parse_written(text.substr(0, dots), where, source);
  WrittenNumber to = parse_written(text.substr(dots + 2), where, source);
  if (from.is_angle() && !to.is_angle()) {
    throw InputError(
        source,
        fmt::format("{}: '{}' has a unit at its beginning alone; write it at the end, as in 0..90deg", where, text));
  }
  if (!from.is_angle()) from.unit = to.unit;
  return std::pair(std::move(from), std::move(to));
}

std::optional<NamedRange> parse_named_range(const std::string& text, std::string_view where) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) return std::nullopt;
  auto range = parse_range(std::string_view(text).substr(equals + 1), where);
  if (!range) return std::nullopt;
  return NamedRange{text.substr(0, equals), std::move(range->first), std::move(range->second)};
}

}  // namespace ulna
