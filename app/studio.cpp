#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/text_file.hpp"
#include "command.hpp"
#include "io/report/page_data.hpp"
#include "io/robot/robot_text.hpp"
#include "output.hpp"
#include "ulna/base/atomic_file.hpp"
#include "ulna/io/results/repeat.hpp"
#include "ulna/io/robot/format.hpp"
#include "ulna/io/scenario/load.hpp"
#include "ulna/study/run.hpp"

namespace ulna::app {

namespace {

namespace fs = std::filesystem;

struct StudioOptions : RobotOptions {
  std::string output = "studio.html";
  bool no_open = false;
};

/// Beside the command in a build folder, or installed with it.
std::string studio_page() {
  std::error_code none;
  const fs::path folder = fs::read_symlink("/proc/self/exe", none).parent_path();
  for (const fs::path& page : {folder / "web" / "studio.html", folder.parent_path() / "share" / "ulna" / "studio.html"})
    if (fs::is_regular_file(page, none)) return read_text_file(page.string(), "studio");
  throw InputError("the studio is not built: run `make studio` in Ulna's folder, which needs the package emscripten");
}

bool changes_robot(const StudioOptions& options) {
  return options.free_base || !options.gravity.empty() || !options.payloads.empty() || options.friction_speed > 0.0 ||
         !options.nonphysical_reason.empty();
}

/// A robot's file as it was written, or the robot as TOML where a rule made it.
Json text_of(const std::string& robot, const Graph& graph, bool as_written) {
  const std::optional<RobotText> found = as_written ? robot_text(robot) : std::nullopt;
  if (!found) return {{"text", to_toml(graph)}, {"file", graph.name + ".toml"}};
  return {{"text", found->text}, {"file", fs::path(found->file).filename().string()}};
}

Json robot_data(const StudioOptions& options) {
  const Graph graph = options.graph();
  build(graph);  // refuses what the page would refuse
  return {{"robot", text_of(options.robot, graph, !changes_robot(options) && options.robot != "-")}};
}

/// The scenario by itself: its tables beside it, by their names alone.
Json scenario_data(Scenario scenario) {
  const PreparedRun prepared = prepare(scenario);  // refuses what the page would refuse
  if (scenario.ensemble.runs > 0)
    throw InputError(scenario.source, "is an ensemble of runs; the studio shows one: leave [ensemble] out");
  Json data{{"robot", text_of(scenario.robot, *prepared.graph, true)}, {"tables", Json::object()}};
  std::vector<std::string> names;  // of the files that are in the page
  const auto take_name = [&](std::string& path) {
    names.push_back(fs::path(path).filename().string());
    path = "/" + names.back();  // a path that is not absolute would be made so
  };
  const auto take_table = [&](std::string& path) {
    if (path.empty()) return;
    const std::string text = read_text_file(path, "table");
    take_name(path);
    data["tables"][names.back()] = text;
  };
  take_table(scenario.drive.file);
  if (scenario.drive.motion) take_table(scenario.drive.motion->file);
  if (robot_format_of_path(scenario.robot) != nullptr) take_name(scenario.robot);
  std::string text = to_toml(scenario);
  for (const std::string& name : names)
    if (const std::size_t at = text.find("\"/" + name + "\""); at != std::string::npos) text.erase(at + 1, 1);
  data["scenario"] = text;
  return data;
}

/// A run that `ulna simulate` left: its samples as they are.
Json result_data(const std::string& folder) {
  const Scenario scenario = repeated_scenario(folder);
  return {{"robot", text_of(scenario.robot, *scenario.read_robot.graph, true)},
          {"run", read_text_file(folder + "/run.json", "run")},
          {"trajectory", read_text_file(folder + "/trajectory.csv", "trajectory")}};
}

/// What the page begins with.
Json page_data(const StudioOptions& options) {
  const std::string& given = options.robot;
  if (given.empty()) return Json::object();
  std::error_code none;
  const bool is_folder = fs::is_directory(given, none);
  const std::vector<BundledScenario> bundled = bundled_scenarios();
  const bool may_be_scenario =
      fs::path(given).extension() == ".toml" ||
      std::any_of(bundled.begin(), bundled.end(), [&](const auto& s) { return s.name == given; });
  std::optional<Scenario> scenario;
  if (!is_folder && may_be_scenario) scenario = load_scenario(given);
  const bool is_robot = !is_folder && (!scenario || scenario->robot == given);
  if (is_robot) return robot_data(options);
  if (changes_robot(options))
    throw InputError("options that change a robot go with a robot; a scenario has its own words for them");
  return is_folder ? result_data(given) : scenario_data(std::move(*scenario));
}

/// In the user's browser, where there is a screen; the command does not wait for it.
bool opens(const std::string& path) {
  if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr) return false;
  std::string program = "xdg-open", file = fs::absolute(path).string();
  char* arguments[] = {program.data(), file.data(), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const int stream : {1, 2}) posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, program.c_str(), &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  return failed == 0;
}

void run(const StudioOptions& options) {
  if (!options.robot.empty() && !fs::is_directory(options.robot)) expect_other_file(options.robot, options.output);
  const std::string page = studio_page();
  const Json data = page_data(options);
  write_file(options.output, fill_page(page, data.dump(-1, ' ', false, Json::error_handler_t::replace)));
  const bool opened = !options.no_open && opens(options.output);
  if (options.json) return print_json({{"file", options.output}, {"opened", opened}});
  fmt::print("wrote {}{}\n", options.output, opened ? ", and opened it" : "; open it in a browser");
}

}  // namespace

void add_studio(CLI::App& app, Outcome&) {
  CLI::App* command = app.add_subcommand("studio", "a page to move, understand and simulate a robot in the browser");
  command->footer("Example: ulna studio planar2r -o studio.html\n         ulna studio stanford_forced -o run.html");
  auto options = std::make_shared<StudioOptions>();
  options->add_to(*command);
  command->get_option("robot")->required(false)->description(
      "a robot; a scenario, which is run in the page; or the folder of a run, which is shown");
  add_output_option(*command, options->output, "file to write", "FILE");
  command->add_flag("--no-open", options->no_open, "write it only");
  command->callback([options] { run(*options); });
}

}  // namespace ulna::app
