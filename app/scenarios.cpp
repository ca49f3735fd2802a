#include "command.hpp"
#include "output.hpp"
#include "ulna/io/scenario/load.hpp"

namespace ulna::app {

void add_scenarios(CLI::App& app, Outcome&) {
  CLI::App* command = app.add_subcommand("scenarios", "the bundled scenarios");
  command->footer("Example: ulna scenarios --json");
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "one JSON document instead of text");
  command->callback([json] {
    Json list = Json::array();
    std::vector<std::vector<std::string>> rows{{"scenario", "what happens"}};
    for (const BundledScenario& scenario : bundled_scenarios()) {
      list.push_back({{"name", scenario.name}, {"title", scenario.title}});
      rows.push_back({scenario.name, scenario.title});
    }
    if (*json) return print_json({{"scenarios", list}});
    print_table(rows);
  });
}

}  // namespace ulna::app
