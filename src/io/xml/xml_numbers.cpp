#include "io/xml/xml_numbers.hpp"

#include <fmt/format.h>

#include "ulna/base/number.hpp"

namespace ulna {

namespace {

constexpr std::string_view blanks = " \t\r\n";

std::string attribute_place(const XmlElement& element, std::string_view key) {
  return fmt::format("'{}' of <{}>", key, element.name);
}

void expect_count(const std::vector<double>& numbers, const XmlElement& element, const std::string& where,
                  std::size_t least, std::size_t most) {
  if (numbers.size() >= least && numbers.size() <= most) return;
  const std::string wanted = least == most ? std::to_string(least) : fmt::format("{} to {}", least, most);
  throw InputError(element.source(), fmt::format("{}: {} numbers; give {}", where, numbers.size(), wanted));
}

}  // namespace

std::vector<double> numbers_in(std::string_view words, const XmlElement& element, const std::string& where) {
  std::vector<double> numbers;
  for (std::size_t at = words.find_first_not_of(blanks); at != std::string_view::npos;
       at = words.find_first_not_of(blanks, at)) {
    const std::size_t end = std::min(words.find_first_of(blanks, at), words.size());
    const std::string_view word = words.substr(at, end - at);
    const std::optional<double> number = parse_number(word);
    if (!number) throw InputError(element.source(), fmt::format("{}: '{}' is not a finite number", where, word));
    numbers.push_back(*number);
    at = end;
  }
  return numbers;
}

std::optional<std::vector<double>> find_numbers(const XmlElement& element, std::string_view key, std::size_t least,
                                                std::size_t most) {
  const std::string* text = element.find(key);
  if (text == nullptr) return std::nullopt;
  const std::string where = attribute_place(element, key);
  std::vector<double> numbers = numbers_in(*text, element, where);
  expect_count(numbers, element, where, least, most);
  return numbers;
}

double number_or(double fallback, const XmlElement& element, std::string_view key) {
  const auto found = find_numbers(element, key, 1, 1);
  return found ? found->front() : fallback;
}

Vec3<double> vec3_or(const Vec3<double>& fallback, const XmlElement& element, std::string_view key) {
  const auto found = find_numbers(element, key, 3, 3);
  return found ? Vec3<double>{(*found)[0], (*found)[1], (*found)[2]} : fallback;
}

double number_of(const XmlElement& element, std::string_view key) {
  const auto found = find_numbers(element, key, 1, 1);
  if (!found) throw InputError(element.source(), fmt::format("<{}> has no '{}'; give it", element.name, key));
  return found->front();
}

std::string name_attribute(const XmlElement& element, std::string_view key) {
  const std::string* text = element.find(key);
  if (text == nullptr || text->empty())
    throw InputError(element.source(), fmt::format("<{}> has no '{}'; give it", element.name, key));
  return *text;
}

std::vector<double> numbers_between(const XmlElement& element, std::size_t least, std::size_t most) {
  const std::string where = fmt::format("<{}>", element.name);
  std::vector<double> numbers = numbers_in(element.words, element, where);
  expect_count(numbers, element, where, least, most);
  return numbers;
}

double number_between(const XmlElement& element) { return numbers_between(element, 1, 1).front(); }

double number_between_or(double fallback, const XmlElement& element, std::string_view child) {
  const XmlElement* found = element.child(child);
  return found == nullptr ? fallback : number_between(*found);
}

std::string_view trimmed_words(std::string_view words) {
  const std::size_t first = words.find_first_not_of(blanks);
  return first == std::string_view::npos ? "" : words.substr(first, words.find_last_not_of(blanks) - first + 1);
}

}  // namespace ulna
