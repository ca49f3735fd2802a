#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "base/text_file.hpp"
#include "command.hpp"
#include "io/report/page_data.hpp"
#include "io/robot/robot_text.hpp"
#include "output.hpp"
#include "ulna/base/atomic_file.hpp"

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

/// What the page begins with: the file as it was written, or the robot as TOML where a rule made it or options changed
/// it.
Json robot_json(const StudioOptions& options) {
  if (options.robot.empty()) return nullptr;
  const Graph graph = options.graph();
  build(graph);  // refuses what the page would refuse
  const bool changed = options.free_base || !options.gravity.empty() || !options.payloads.empty() ||
                       options.friction_speed > 0.0 || !options.nonphysical_reason.empty();
  const bool read_once = options.robot == "-";
  const std::optional<RobotText> found = changed || read_once ? std::nullopt : robot_text(options.robot);
  if (!found) return {{"text", to_toml(graph)}, {"file", graph.name + ".toml"}};
  return {{"text", found->text}, {"file", fs::path(found->file).filename().string()}};
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
  if (!options.robot.empty()) expect_other_file(options.robot, options.output);
  const std::string page = studio_page();
  const Json data{{"robot", robot_json(options)}};
  write_file(options.output, fill_page(page, data.dump(-1, ' ', false, Json::error_handler_t::replace)));
  const bool opened = !options.no_open && opens(options.output);
  if (options.json) return print_json({{"file", options.output}, {"opened", opened}});
  fmt::print("wrote {}{}\n", options.output, opened ? ", and opened it" : "; open it in a browser");
}

}  // namespace

void add_studio(CLI::App& app, Outcome&) {
  CLI::App* command = app.add_subcommand("studio", "a page to move, understand and simulate a robot in the browser");
  command->footer("Example: ulna studio planar2r -o studio.html");
  auto options = std::make_shared<StudioOptions>();
  options->add_to(*command);
  command->get_option("robot")->required(false);
  add_output_option(*command, options->output, "file to write", "FILE");
  command->add_flag("--no-open", options->no_open, "write it only");
  command->callback([options] { run(*options); });
}

}  // namespace ulna::app
