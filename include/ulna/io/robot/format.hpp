// The file formats of robots. A new one is a file that reads it (and one that writes it), and a row here.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ulna/io/robot/write.hpp"

namespace ulna {

/// A way to write a robot in a format.
struct RobotForm {
  std::string_view name;  // "dh"
  bool drops;             // takes heed of `Dropped`; the others hold everything
  /// `notices` receives what the format leaves to its reader. Throws InputError for what the form cannot say.
  std::string (*write)(const Graph& graph, const Dropped& dropped, std::vector<std::string>& notices);
};

struct RobotFormat {
  std::string_view name;                      // "urdf"
  std::vector<std::string_view> endings;      // ".urdf", the one that is written first
  bool (*recognises)(std::string_view text);  // whether a text whose name says nothing is of this format
  Graph (*parse)(const std::string& text, const std::string& file);
  std::vector<RobotForm> forms;  // the usual one first
};

/// All of them; a text that none before recognises is of the last.
std::span<const RobotFormat> robot_formats();

/// By its name ("urdf"). Throws InputError.
const RobotFormat& robot_format_named(std::string_view name);
/// By the ending of a path; nullptr where none fits.
const RobotFormat* robot_format_of_path(std::string_view path);
const RobotFormat& robot_format_of_text(std::string_view text);
/// By the ending, and where several formats share it by the text.
const RobotFormat* robot_format_of_file(std::string_view path, std::string_view text);

/// From text in memory, whatever its format; `file` is what messages call it.
Graph parse_robot(const std::string& text, const std::string& file);

}  // namespace ulna
