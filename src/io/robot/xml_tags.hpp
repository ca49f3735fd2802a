// The tags of an XML text with their lines, which urdfdom does not tell, and whether they are well formed, which
// tinyxml behind it decides by recursion: nothing that could exhaust its stack gets as far.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(hidden)
namespace ulna {

/// A start tag.
struct XmlTag {
  std::string name;
  std::map<std::string, std::string, std::less<>> attributes;  // entities as they stand
  int line;
  int depth;  // 0: the root

  /// Empty if there is none.
  std::string attribute(std::string_view key) const;
};

/// Comments as blanks, so that nothing in them is found and lines keep their numbers.
std::string without_comments(std::string text);

/// Of a text without comments. Throws InputError, with the line, unless it is elements and words in UTF-8, behind a
/// declaration or not: document types, CDATA and processing instructions are not for robots.
std::vector<XmlTag> xml_tags(const std::string& text, const std::string& file);

}  // namespace ulna
#pragma GCC visibility pop
