// Numbers in the attributes and the words of XML elements. All throw InputError, with the line, for what is no finite
// number and for too many or too few of them.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "io/xml/xml.hpp"
#include "ulna/spatial/vec3.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

/// Separated by blanks; `where` begins the message: "'xyz' of <origin>".
std::vector<double> numbers_in(std::string_view words, const XmlElement& element, const std::string& where);

/// Of an attribute; nothing if it is not there.
std::optional<std::vector<double>> find_numbers(const XmlElement& element, std::string_view key, std::size_t least,
                                                std::size_t most);
double number_or(double fallback, const XmlElement& element, std::string_view key);
Vec3<double> vec3_or(const Vec3<double>& fallback, const XmlElement& element, std::string_view key);

/// Of an attribute that must be there.
double number_of(const XmlElement& element, std::string_view key);
std::string name_attribute(const XmlElement& element, std::string_view key = "name");

/// Of the words between the tags.
std::vector<double> numbers_between(const XmlElement& element, std::size_t least, std::size_t most);
double number_between(const XmlElement& element);
/// Of a child; the fallback if there is none.
double number_between_or(double fallback, const XmlElement& element, std::string_view child);

/// Without blanks at its ends.
std::string_view trimmed_words(std::string_view words);

}  // namespace ulna
#pragma GCC visibility pop
