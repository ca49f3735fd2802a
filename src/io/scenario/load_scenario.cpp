#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/text_file.hpp"
#include "io/robot/toml_robot.hpp"
#include "io/scenario/bundled_scenarios.hpp"
#include "io/scenario/scenario_reader.hpp"
#include "ulna/io/robot/format.hpp"
#include "ulna/io/scenario/load.hpp"

namespace ulna {

namespace {

Scenario bundled_scenario(const BundledFile& file) {
  Scenario scenario = parse_scenario(std::string(file.text), fmt::format("{}.toml", file.name));
  scenario.name = file.name;
  return scenario;
}

/// A robot by itself falls freely.
Scenario scenario_of_robot(const std::string& robot) {
  Scenario scenario;
  scenario.robot = robot;
  scenario.name = stem_of(robot);
  std::replace(scenario.name.begin(), scenario.name.end(), ':', '_');
  scenario.source = {robot, 0};
  return scenario;
}

/// Robot files hold links; anything else was meant to be a scenario.
bool is_robot(const toml::table& file) {
  return !file.contains("robot") && (file.contains("link") || file.contains("body") || file.contains("joint"));
}

}  // namespace

Scenario load_scenario(const std::string& name) {
  const auto bundled = std::find_if(bundled_scenario_files().begin(), bundled_scenario_files().end(),
                                    [&](const BundledFile& file) { return file.name == name; });
  if (bundled != bundled_scenario_files().end()) return bundled_scenario(*bundled);
  if (!has_ending(name, ".toml") && !is_stream(name)) return scenario_of_robot(name);
  const std::string text = read_text_file(name, "scenario"), file = file_name(name);
  if (is_stream(name) && robot_format_of_text(text).name != "toml") return scenario_of_robot(name);
  const toml::table root = parse_toml_text(text, file);
  if (is_robot(root)) {
    Graph robot = read_robot(root, file);
    if (robot.name.empty()) robot.name = stem_of(name);
    Scenario scenario = scenario_of_robot(name);
    scenario.read_robot = {name, std::make_shared<const Graph>(std::move(robot))};
    return scenario;
  }
  Scenario scenario = read_scenario(root, file);
  if (scenario.name.empty()) scenario.name = stem_of(name);
  return scenario;
}

std::vector<BundledScenario> bundled_scenarios() {
  std::vector<BundledScenario> scenarios;
  for (const BundledFile& file : bundled_scenario_files()) {
    const Scenario scenario = bundled_scenario(file);
    scenarios.push_back({scenario.name, scenario.title});
  }
  return scenarios;
}

}  // namespace ulna
