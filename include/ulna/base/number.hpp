// Numbers as people write them: 1.5, "90 deg".
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ulna {

/// A finite number; nothing else.
std::optional<double> parse_number(std::string_view text);

/// A finite number, optionally followed by `deg` (converted to radians) or `rad`.
std::optional<double> parse_angle(std::string_view text);

/// Whether a number has a unit of angles behind it.
bool is_angle(std::string_view text);

/// NAME=FROM..TO, as options say ranges.
struct NamedRange {
  std::string name;
  std::optional<double> from, to;  // where they are numbers
  bool has_angle;                  // one of them has a unit of angles
};
/// A unit behind TO is FROM's too, as in crank=0..90deg. Nothing if the text has not this form.
std::optional<NamedRange> parse_named_range(const std::string& text);

}  // namespace ulna
