// Numbers of the command line and of files, and the nearest known word.
#include <array>
#include <cmath>
#include <cstdio>

#include "target.hpp"
#include "ulna/base/nearest_word.hpp"
#include "ulna/base/number.hpp"

namespace {

using ulna::fuzz::expect;

void check_number(const std::string& text) {
  const std::optional<double> value = ulna::parse_number(text);
  if (!value) return;
  expect(std::isfinite(*value), "a number is finite");
  std::array<char, 64> digits{};
  std::snprintf(digits.data(), digits.size(), "%.17g", *value);
  expect(ulna::parse_number(digits.data()) == value, "a number reads back from its digits");
  expect(std::strtod(text.c_str(), nullptr) == *value, "a number is what C reads");
}

void check_written(const std::string& text) {
  const std::optional<double> plain = ulna::parse_number(text);
  try {
    const ulna::WrittenNumber number = ulna::parse_written(text, "here");
    expect(std::isfinite(number.in_si()), "a written number is finite");
    expect(number.is_angle() != plain.has_value(), "a number is an angle or has no unit");
    expect(number.is_angle() || number.in_si() == *plain, "a number without a unit is what it was");
  } catch (const ulna::InputError&) {
    expect(!plain, "every number can be written");
  }
}

void check_words(const std::string& text) {
  const std::size_t half = text.size() / 2;
  const std::string a = text.substr(0, half), b = text.substr(half);
  const int distance = ulna::edit_distance(a, b);
  expect(distance == ulna::edit_distance(b, a), "a distance is the same both ways");
  expect(distance >= std::abs(std::ssize(a) - std::ssize(b)), "a distance is no less than the difference in length");
  expect(distance <= std::max(std::ssize(a), std::ssize(b)), "a distance is no more than the longer word");
  const std::array<std::string_view, 2> words{"revolute", "prismatic"};
  const std::string_view near = ulna::nearest_word(text, words);
  expect(near.empty() || near == words[0] || near == words[1], "the nearest word is one of those given");
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = ulna::fuzz::text_of(data, std::min<std::size_t>(size, 4096));
  check_number(text);
  check_written(text);
  check_words(text.substr(0, 200));
  return 0;
}
