// XML as robot files have it: a tree of elements with their lines. Written by hand because what can be had does not
// serve: tinyxml recurses and reads what is no XML, tinyxml2 and pugixml check neither UTF-8 nor attributes given
// twice, bound no depth and do not say which tag is not closed; libxml2 is megabytes in a browser. Entities are the
// five of XML and letters by number; a document type, which could define more, is refused.
#pragma once

#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ulna/base/error.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

struct XmlAttribute {
  std::string key, value;
};

struct XmlElement {
  std::string name{};  // with its prefix: "xacro:macro"
  std::shared_ptr<const std::string> file{};
  int line = 0;
  std::vector<XmlAttribute> attributes{};
  std::string words{};  // between its tags, those of its children left out
  std::list<XmlElement> children{};

  Source source() const { return {*file, line}; }
  /// nullptr if there is none.
  const std::string* find(std::string_view key) const;
  /// Empty if there is none.
  std::string attribute(std::string_view key) const;
  /// The first one of this name; nullptr if there is none.
  const XmlElement* child(std::string_view tag) const;
};

/// The root. Throws InputError with the line for what is not well formed, not UTF-8, or too deep or large for a robot.
XmlElement parse_xml(std::string_view text, const std::string& file);

}  // namespace ulna
#pragma GCC visibility pop
