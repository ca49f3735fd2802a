#include "ulna/io/robot/format.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text_file.hpp"
#include "ulna/base/error.hpp"
#include "ulna/io/robot/load.hpp"

namespace ulna {

namespace {

/// The name of the first element of an XML text; empty if the text begins otherwise.
std::string_view first_tag(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // a byte-order mark
  const auto skip_to = [&](std::string_view end) {
    const std::size_t found = text.find(end);
    text.remove_prefix(found == std::string_view::npos ? text.size() : found + end.size());
  };
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    if (text.starts_with("<?"))
      skip_to("?>");
    else if (text.starts_with("<!--"))
      skip_to("-->");
    else
      break;
  }
  if (!text.starts_with('<')) return {};
  return text.substr(1, text.find_first_of(" \t\r\n/>", 1) - 1);
}

/// A writer of TOML, which leaves nothing out.
template <std::string (*Write)(const Graph&)>
std::string write_whole(const Graph& graph, const Dropped&, std::vector<std::string>&) {
  return Write(graph);
}

std::string write_mjcf(const Graph& graph, const Dropped&, std::vector<std::string>& notices) {
  return to_mjcf(graph, notices);
}

std::string write_sdf(const Graph& graph, const Dropped& dropped, std::vector<std::string>& notices) {
  return to_sdf(graph, notices, dropped);
}

std::string write_urdf(const Graph& graph, const Dropped& dropped, std::vector<std::string>& notices) {
  return to_urdf(graph, notices, dropped);
}

}  // namespace

std::span<const RobotFormat> robot_formats() {
  static const std::vector<RobotFormat> rows{
      {"mjcf",
       {".xml", ".mjcf"},
       [](std::string_view text) { return first_tag(text) == "mujoco"; },
       parse_mjcf,
       {{"mjcf", false, write_mjcf}}},
      {"sdf",
       {".sdf", ".world", ".xml"},
       [](std::string_view text) { return first_tag(text) == "sdf"; },
       parse_sdf,
       {{"sdf", true, write_sdf}}},
      {"urdf",
       {".urdf", ".xacro", ".xml"},
       [](std::string_view text) { return !first_tag(text).empty(); },
       parse_urdf,
       {{"urdf", true, write_urdf}}},
      {"toml",
       {".toml"},
       [](std::string_view) { return true; },
       parse_toml,
       {{"toml", false, write_whole<to_toml>},
        {"dh", false, write_whole<to_dh_toml>},
        {"explicit", false, write_whole<to_explicit_toml>}}},
  };
  return rows;
}

const RobotFormat& robot_format_named(std::string_view name) {
  std::string known;
  for (const RobotFormat& format : robot_formats()) {
    if (format.name == name) return format;
    known += (known.empty() ? "" : ", ") + std::string(format.name);
  }
  throw InputError(fmt::format("unknown format '{}' of robots; known: {}", name, known));
}

const RobotFormat* robot_format_of_path(std::string_view path) {
  for (const RobotFormat& format : robot_formats())
    for (const std::string_view ending : format.endings)
      if (has_ending(path, ending)) return &format;
  return nullptr;
}

const RobotFormat& robot_format_of_text(std::string_view text) {
  return *std::find_if(robot_formats().begin(), robot_formats().end(),
                       [&](const RobotFormat& format) { return format.recognises(text); });
}

const RobotFormat* robot_format_of_file(std::string_view path, std::string_view text) {
  const RobotFormat& by_text = robot_format_of_text(text);
  const bool may_be = std::any_of(by_text.endings.begin(), by_text.endings.end(),
                                  [&](std::string_view ending) { return has_ending(path, ending); });
  return may_be ? &by_text : robot_format_of_path(path);
}

Graph parse_robot(const std::string& text, const std::string& file) {
  return robot_format_of_text(text).parse(text, file);
}

}  // namespace ulna
