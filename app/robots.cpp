#include <fmt/format.h>

#include "command.hpp"
#include "output.hpp"

namespace ulna::app {

namespace {

std::string loops_text(std::size_t loops) {
  return loops == 0 ? "" : fmt::format("; {} closed loop{}", loops, loops == 1 ? "" : "s");
}

}  // namespace

void add_robots(CLI::App& app, Outcome&) {
  CLI::App* command = app.add_subcommand("robots", "the bundled robots");
  command->footer("Example: ulna robots --json");
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "one JSON document instead of text");
  command->callback([json] {
    const std::vector<BundledRobot> robots = bundled_robots();
    if (*json) {
      Json list = Json::array();
      for (const BundledRobot& robot : robots)
        list.push_back({{"name", robot.name}, {"title", robot.title}, {"loops", robot.loops}});
      return print_json({{"robots", list}});
    }
    std::vector<std::vector<std::string>> rows{{"robot", "what it is"}};
    for (const BundledRobot& robot : robots) rows.push_back({robot.name, robot.title + loops_text(robot.loops)});
    print_table(rows);
  });
}

}  // namespace ulna::app
