#include "ulna/io/robot/load.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/text_file.hpp"
#include "bundled.hpp"
#include "generated.hpp"
#include "ulna/base/nearest_word.hpp"
#include "ulna/io/robot/format.hpp"

namespace ulna {

namespace {

[[noreturn]] void unknown_robot(const std::string& robot) {
  std::vector<std::string> names;
  for (const BundledRobot& bundled : bundled_robots()) names.push_back(bundled.name);
  throw InputError(
      fmt::format("unknown robot '{}'; {}a robot is a bundled name ({}) or the path of a .toml or .urdf file, - for "
                  "standard input",
                  robot, guess_for(robot, names), some_of(names)));
}

Graph named(Graph graph, const std::string& fallback) {
  if (graph.name.empty()) graph.name = fallback;
  return graph;
}

}  // namespace

Graph load_graph(const std::string& robot) {
  const RobotFormat* by_ending = robot_format_of_path(robot);
  if (by_ending != nullptr || is_stream(robot)) {
    const std::string text = read_text_file(robot, "robot file");
    const RobotFormat& format = is_stream(robot) ? robot_format_of_text(text) : *by_ending;
    return named(format.parse(text, file_name(robot)), stem_of(robot));
  }
  if (robot.find(':') != std::string::npos) return generate(robot);
  const auto bundled = std::find_if(bundled_robot_files().begin(), bundled_robot_files().end(),
                                    [&](const BundledFile& file) { return file.name == robot; });
  if (bundled == bundled_robot_files().end()) unknown_robot(robot);
  return named(parse_toml(std::string(bundled->text), fmt::format("robots/{}.toml", robot)), robot);
}

Model load(const std::string& robot) { return build(load_graph(robot)); }

std::vector<BundledRobot> bundled_robots() {
  std::vector<BundledRobot> robots;
  for (const BundledFile& file : bundled_robot_files()) {
    const Graph graph = parse_toml(std::string(file.text), fmt::format("robots/{}.toml", file.name));
    robots.push_back({std::string(file.name), graph.title, graph.loops.size()});
  }
  robots.push_back({"chain:N", "generated: N equal links on skew joints, N from 1 to 1,000,000", 0});
  robots.push_back({"general:N", "generated: N revolute joints, no parameter zero, N from 1 to 1,000,000", 0});
  return robots;
}

}  // namespace ulna
