#include "ulna/import/load.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "bundled.hpp"
#include "generated.hpp"
#include "ulna/import/number.hpp"

namespace ulna {

namespace {

constexpr std::uintmax_t largest_file = 64u << 20;

bool ends_with(const std::string& text, std::string_view ending) {
  return text.size() >= ending.size() && text.compare(text.size() - ending.size(), ending.size(), ending) == 0;
}

std::string read_file(const std::string& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) throw InputError(Source{path, 0}, "no such file; check the path");
  if (std::filesystem::is_directory(status)) throw InputError(Source{path, 0}, "is a folder, not a robot file");
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError(Source{path, 0}, "cannot be opened; check its permissions");
  if (std::filesystem::is_regular_file(status) && std::filesystem::file_size(path, error) > largest_file)
    throw InputError(Source{path, 0}, "is larger than 64 MB; that is no robot file");
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

[[noreturn]] void unknown_robot(const std::string& robot) {
  std::vector<std::string> names;
  for (const BundledRobot& bundled : bundled_robots()) names.push_back(bundled.name);
  const std::string_view near = nearest_word(robot, names);
  throw InputError(
      fmt::format("unknown robot '{}'; {}a robot is a bundled name (see `ulna robots`) "
                  "or the path of a .toml or .urdf file",
                  robot, near.empty() ? "" : fmt::format("did you mean '{}'? ", near)));
}

Graph named(Graph graph, const std::string& fallback) {
  if (graph.name.empty()) graph.name = fallback;
  return graph;
}

}  // namespace

Graph load_graph(const std::string& robot) {
  const std::string stem = std::filesystem::path(robot).stem().string();
  if (ends_with(robot, ".toml")) return named(parse_toml(read_file(robot), robot), stem);
  if (ends_with(robot, ".urdf") || ends_with(robot, ".xml")) return named(parse_urdf(read_file(robot), robot), stem);
  if (robot.find(':') != std::string::npos) return generate(robot);
  const auto bundled = std::find_if(bundled_files().begin(), bundled_files().end(),
                                    [&](const BundledFile& file) { return file.name == robot; });
  if (bundled == bundled_files().end()) unknown_robot(robot);
  return named(parse_toml(std::string(bundled->text), fmt::format("robots/{}.toml", robot)), robot);
}

Model load(const std::string& robot) { return build(load_graph(robot)); }

std::vector<BundledRobot> bundled_robots() {
  std::vector<BundledRobot> robots;
  for (const BundledFile& file : bundled_files())
    robots.push_back(
        {std::string(file.name), parse_toml(std::string(file.text), fmt::format("robots/{}.toml", file.name)).title});
  robots.push_back({"chain:N", "generated: N equal links on skew joints, N from 1 to 1,000,000"});
  return robots;
}

}  // namespace ulna
