#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "command.hpp"
#include "output.hpp"

namespace ulna::app {

namespace {

std::string loops_text(std::size_t loops) {
  return loops == 0 ? "" : fmt::format("; {} closed loop{}", loops, loops == 1 ? "" : "s");
}

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// Those whose name or title has the word; all of them without one.
std::vector<BundledRobot> robots_with(const std::string& word) {
  std::vector<BundledRobot> robots = bundled_robots();
  std::erase_if(robots, [&](const BundledRobot& robot) {
    return lower(robot.name + " " + robot.title).find(lower(word)) == std::string::npos;
  });
  return robots;
}

void print_robots(const std::vector<BundledRobot>& robots) {
  for (const bool in_use : {false, true}) {
    std::vector<std::vector<std::string>> rows{{"robot", in_use ? "arm in use" : "what it is"}};
    for (const BundledRobot& robot : robots)
      if (robot.is_in_use == in_use) rows.push_back({robot.name, robot.title + loops_text(robot.loops)});
    if (rows.size() > 1) print_table(rows);
  }
}

}  // namespace

void add_robots(CLI::App& app, Outcome& outcome) {
  CLI::App* command = app.add_subcommand("robots", "the bundled robots");
  command->footer("Example: ulna robots --search kuka\nExit 1: no robot has the word.");
  struct Options {
    bool json = false;
    std::string search;
  };
  auto options = std::make_shared<Options>();
  command->add_option("--search", options->search, "those with this word in name or title")->type_name("WORD");
  command->add_flag("--json", options->json, "one JSON document instead of text");
  command->callback([options, &outcome] {
    const std::vector<BundledRobot> robots = robots_with(options->search);
    if (robots.empty()) outcome.exit_code = 1;
    if (!options->json) return print_robots(robots);
    Json list = Json::array();
    for (const BundledRobot& robot : robots)
      list.push_back(
          {{"name", robot.name}, {"title", robot.title}, {"loops", robot.loops}, {"in_use", robot.is_in_use}});
    print_json({{"robots", list}});
  });
}

}  // namespace ulna::app
