#include "io/robot/mjcf_defaults.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "io/xml/xml_numbers.hpp"
#include "ulna/base/nearest_word.hpp"

namespace ulna {

namespace {

constexpr std::size_t most_classes = 10'000;
constexpr std::array<std::string_view, 5> orientation_keys{"quat", "axisangle", "euler", "xyaxes", "zaxis"};

/// What the reader asks for: nothing else is kept of a class.
bool is_kept(std::string_view key) {
  static constexpr std::array<std::string_view, 26> keys{"type",
                                                         "size",
                                                         "pos",
                                                         "fromto",
                                                         "mass",
                                                         "density",
                                                         "group",
                                                         "mesh",
                                                         "shellinertia",
                                                         "axis",
                                                         "ref",
                                                         "springref",
                                                         "stiffness",
                                                         "damping",
                                                         "armature",
                                                         "frictionloss",
                                                         "range",
                                                         "limited",
                                                         "springdamper",
                                                         "forcerange",
                                                         "forcelimited",
                                                         "gear",
                                                         "ctrlrange",
                                                         "ctrllimited",
                                                         "actuatorfrcrange",
                                                         "actuatorfrclimited"};
  return std::find(keys.begin(), keys.end(), key) != keys.end() ||
         std::find(orientation_keys.begin(), orientation_keys.end(), key) != orientation_keys.end();
}

bool turns_it(std::string_view key) {
  return std::find(orientation_keys.begin(), orientation_keys.end(), key) != orientation_keys.end();
}

/// A size of fewer numbers than its class has leaves the others as they are.
std::string padded(std::string own, std::string_view inherited) {
  constexpr std::string_view blanks = " \t\r\n";
  const auto word_end = [&](std::string_view text, std::size_t at) {
    const std::size_t first = text.find_first_not_of(blanks, at);
    return first == std::string_view::npos ? first : std::min(text.find_first_of(blanks, first), text.size());
  };
  std::size_t in_own = 0, in_class = 0;
  while ((in_own = word_end(own, in_own)) != std::string::npos)
    if ((in_class = word_end(inherited, in_class)) == std::string_view::npos) return own;
  return own.append(" ").append(inherited.substr(in_class));
}

std::string tag_of(const XmlElement& element) { return is_mjcf_actuator(element.name) ? "general" : element.name; }

}  // namespace

bool is_mjcf_actuator(std::string_view tag) {
  static constexpr std::array<std::string_view, 10> tags{"general", "motor",    "position", "velocity", "intvelocity",
                                                         "damper",  "cylinder", "muscle",   "adhesion", "plugin"};
  return std::find(tags.begin(), tags.end(), tag) != tags.end();
}

MjcfDefaults::MjcfDefaults(const XmlElement& root) {
  for (const XmlElement& child : root.children)
    if (child.name == "default") add(child, {}, 0);
  classes_.try_emplace(outermost_);
}

void MjcfDefaults::add(const XmlElement& element, const Class& outer, std::size_t depth) {
  if (depth > 0) name_attribute(element, "class");
  const std::string* name = element.find("class");
  if (depth == 0 && name != nullptr) outermost_ = *name;
  const std::string key = name == nullptr ? outermost_ : *name;
  if (classes_.size() == most_classes)
    throw InputError(element.source(), fmt::format("more than {} default classes; that is no robot", most_classes));
  const auto [own, is_new] = classes_.try_emplace(key, outer);
  if (!is_new && depth > 0)
    throw InputError(element.source(), fmt::format("there are two default classes '{}'; rename one", key));
  for (const XmlElement& child : element.children) {
    if (child.name == "default") continue;
    Values& values = own->second[tag_of(child)];
    for (const XmlAttribute& attribute : child.attributes) {
      if (!is_kept(attribute.key)) continue;
      if (turns_it(attribute.key)) std::erase_if(values, [](const auto& value) { return turns_it(value.first); });
      std::string& value = values[attribute.key];
      value = attribute.key == "size" ? padded(attribute.value, value) : attribute.value;
    }
  }
  const Class complete = own->second;
  for (const XmlElement& child : element.children)
    if (child.name == "default") add(child, complete, depth + 1);
}

void MjcfDefaults::expect_class(const XmlElement& element, const std::string& name) const {
  if (classes_.count(name) != 0) return;
  std::vector<std::string> known;
  for (const auto& [key, values] : classes_) known.push_back(key);
  throw InputError(element.source(), fmt::format("<{}>: there is no default class '{}'; {}add it, or correct the name",
                                                 element.name, name, guess_for(name, known)));
}

XmlElement MjcfDefaults::completed(const XmlElement& element, const std::string& around) const {
  const std::string* named = element.find("class");
  const std::string name = named != nullptr ? *named : around.empty() ? outermost_ : around;
  expect_class(element, name);
  XmlElement whole{element.name, element.file, element.line, element.attributes, {}, {}};
  const Class& values = classes_.find(name)->second;
  const auto found = values.find(tag_of(element));
  if (found == values.end()) return whole;
  const bool is_turned = std::any_of(element.attributes.begin(), element.attributes.end(),
                                     [](const XmlAttribute& a) { return turns_it(a.key); });
  for (XmlAttribute& own : whole.attributes)
    if (const auto size = found->second.find("size"); own.key == "size" && size != found->second.end())
      own.value = padded(own.value, size->second);
  for (const auto& [key, value] : found->second)
    if (element.find(key) == nullptr && !(is_turned && turns_it(key))) whole.attributes.push_back({key, value});
  return whole;
}

}  // namespace ulna
