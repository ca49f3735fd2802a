#include "io/robot/mjcf_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/text_file.hpp"
#include "io/xml/xml_numbers.hpp"

namespace ulna {

namespace {

constexpr std::size_t most_files = 200, most_bytes = 64u << 20, deepest_element = 500;

class IncludeReader {
 public:
  explicit IncludeReader(const std::string& file)
      : folder_(std::filesystem::path(file).parent_path()),
        read_{std::filesystem::path(file).filename().lexically_normal()} {}

  /// Replaces every <include> below an element by what its file holds.
  void expand(XmlElement& element, std::size_t depth) {
    if (depth > deepest_element)
      throw InputError(element.source(), fmt::format("tags are nested deeper than {}", deepest_element));
    for (auto child = element.children.begin(); child != element.children.end();) {
      if (child->name != "include") {
        expand(*child, depth + 1);
        ++child;
        continue;
      }
      XmlElement included = read(*child);
      expand(included, depth);
      element.children.splice(child, included.children);
      child = element.children.erase(child);
    }
  }

 private:
  XmlElement read(const XmlElement& include) {
    const std::filesystem::path path = std::filesystem::path(name_attribute(include, "file")).lexically_normal();
    const auto refuse = [&](const std::string& why) {
      throw InputError(include.source(), fmt::format("include '{}': {}", path.string(), why));
    };
    if (path.is_absolute() || *path.begin() == "..")
      refuse("it is outside the folder of the robot; put it there, and name it from there");
    if (!read_.insert(path).second) refuse("this file is there already, and MJCF takes each once; leave it out");
    if (read_.size() > most_files) refuse(fmt::format("more than {} files; that is no robot", most_files));
    const std::string name = (folder_ / path).string();
    std::error_code error;
    if (!std::filesystem::exists(name, error)) refuse("there is no such file beside the robot; check the name");
    const std::string text = read_text_file(name, "robot file");
    bytes_ += text.size();
    if (bytes_ > most_bytes) refuse("all files together are larger than 64 MB; that is no robot");
    return parse_xml(text, name);
  }

  std::filesystem::path folder_;
  std::set<std::filesystem::path> read_;
  std::size_t bytes_ = 0;
};

}  // namespace

XmlElement read_mjcf(const std::string& text, const std::string& file) {
  if (text.find("<mujoco") == std::string::npos)
    throw InputError(Source{file, 0}, "not an MJCF file: there is no <mujoco> in it");
  XmlElement root = parse_xml(text, file);
  if (root.name != "mujoco")
    throw InputError(root.source(), fmt::format("not an MJCF file: it begins with <{}>, not with <mujoco>", root.name));
  IncludeReader(file).expand(root, 0);
  return root;
}

}  // namespace ulna
