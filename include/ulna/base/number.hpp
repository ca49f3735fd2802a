// Numbers as people write them: 1.5, "90 deg".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ulna/base/error.hpp"

namespace ulna {

/// A finite number; nothing else.
std::optional<double> parse_number(std::string_view text);

/// A number with the unit and the place that it was written with, until it is known what it is for. A plain double is
/// in SI units.
struct WrittenNumber {
  enum class Unit : unsigned char { none, rad, deg };

  WrittenNumber(double in_si = 0.0) : number(in_si) {}

  double number;  // in its unit
  Unit unit = Unit::none;
  Source source{};

  double in_si() const;
  bool is_angle() const { return unit != Unit::none; }
};

/// Numbers for joints; from doubles in SI units, too.
struct JointNumbers : std::vector<WrittenNumber> {
  using std::vector<WrittenNumber>::vector;
  JointNumbers(const std::vector<double>& in_si) : vector(in_si.begin(), in_si.end()) {}

  std::vector<double> in_si() const;
};

/// What a number is for.
struct NumberUse {
  enum class Kind : unsigned char { plain, angle, length } kind = Kind::plain;
  std::string joint{};  // whose number it is, if it is a joint's
};

/// A finite number, and behind it `deg`, `rad` or nothing. Throws InputError that begins with `where` it is written.
WrittenNumber parse_written(std::string_view text, std::string_view where, const Source& source = {});

/// In SI units. Throws InputError if the unit is not one for this use.
double resolve(const WrittenNumber& number, const NumberUse& use, std::string_view where);

/// FROM..TO; a unit behind TO is FROM's too, as in 0..90deg. Nothing if there are no dots.
std::optional<std::pair<WrittenNumber, WrittenNumber>> parse_range(std::string_view text, std::string_view where,
                                                                   const Source& source = {});

/// NAME=FROM..TO, as options say ranges.
struct NamedRange {
  std::string name;
  WrittenNumber from, to;
};
/// Nothing if the text has not this form; throws InputError where FROM or TO is no number.
std::optional<NamedRange> parse_named_range(const std::string& text, std::string_view where);

}  // namespace ulna
