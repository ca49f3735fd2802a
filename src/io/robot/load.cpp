#include "ulna/io/robot/load.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>

#include "base/text_file.hpp"
#include "bundled.hpp"
#include "generated.hpp"
#include "io/robot/mesh_file.hpp"
#include "robot_text.hpp"
#include "ulna/base/nearest_word.hpp"
#include "xacro.hpp"

namespace ulna {

namespace {

[[noreturn]] void unknown_robot(const std::string& robot) {
  std::vector<std::string> names;
  for (const BundledRobot& bundled : bundled_robots()) names.push_back(bundled.name);
  throw InputError(
      fmt::format("unknown robot '{}'; {}a robot is a bundled name ({}) or the path of a .toml, .urdf, .sdf or .xml "
                  "(MJCF) file, - for "
                  "standard input",
                  robot, guess_for(robot, names), some_of(names)));
}

struct BundledFolder {
  const char* path;
  std::span<const BundledFile> files;
};
std::array<BundledFolder, 2> bundled_folders() {
  return {{{"robots", bundled_robot_files()}, {"robots/catalogue", catalogue_files()}}};
}

RobotText bundled_text(const BundledFolder& folder, const BundledFile& file) {
  return {std::string(file.text), fmt::format("{}/{}.toml", folder.path, file.name), std::string(file.name),
          robot_format_named("toml")};
}

}  // namespace

std::optional<RobotText> robot_text(const std::string& robot) {
  if (robot_format_of_path(robot) != nullptr || is_stream(robot)) {
    std::string text = read_text_file(robot, "robot file");
    if (has_ending(robot, ".xacro") && text.find("xacro:") != std::string::npos) {
      // Lines are of what it writes, and the meshes are where the template is.
      return RobotText{run_xacro(robot), fmt::format("{} (as xacro writes it)", robot), stem_of(robot),
                       robot_format_named("urdf")};
    }
    const RobotFormat& format = is_stream(robot) ? robot_format_of_text(text) : *robot_format_of_file(robot, text);
    return RobotText{std::move(text), file_name(robot), stem_of(robot), format};
  }
  if (robot.find(':') != std::string::npos) return std::nullopt;
  for (const BundledFolder& folder : bundled_folders())
    for (const BundledFile& file : folder.files)
      if (file.name == robot) return bundled_text(folder, file);
  unknown_robot(robot);
}

Graph load_graph(const std::string& robot) {
  const std::optional<RobotText> found = robot_text(robot);
  if (!found) return generate(robot);
  Graph graph = found->format.parse(found->text, found->file);
  if (graph.name.empty()) graph.name = found->name;
  for (std::string& notice : missing_meshes(graph)) graph.notices.push_back(std::move(notice));
  if (const std::vector<std::string> links = guessed_links(graph); !links.empty())
    graph.notices.push_back(fmt::format("mass data are guessed from shapes ({})", some_of(links)));
  return graph;
}

Model load(const std::string& robot) { return build(load_graph(robot)); }

std::vector<BundledRobot> bundled_robots() {
  std::vector<BundledRobot> robots;
  for (const BundledFolder& folder : bundled_folders()) {
    for (const BundledFile& file : folder.files) {
      const RobotText found = bundled_text(folder, file);
      const Graph graph = parse_toml(found.text, found.file);
      robots.push_back({found.name, graph.title, graph.loops.size(), folder.path != bundled_folders()[0].path});
    }
  }
  robots.push_back({"chain:N", "generated: N equal links on skew joints, N from 1 to 1,000,000", 0});
  robots.push_back({"general:N", "generated: N revolute joints, no parameter zero, N from 1 to 1,000,000", 0});
  return robots;
}

}  // namespace ulna
