// Scenario files: read, written back, and fitted to a robot.
#include "target.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/io/scenario/load.hpp"

namespace {

/// Tables would be read from wherever the bytes say.
bool reads_tables(const ulna::Scenario& scenario) {
  return !scenario.drive.file.empty() || (scenario.drive.motion && !scenario.drive.motion->file.empty());
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ulna;
  static const Graph graph = load_graph("puma560");
  static const Model model = build(graph);
  return fuzz::try_input([&] {
    const Scenario scenario = parse_scenario(fuzz::text_of(data, size), "scenario.toml");
    const std::string written = to_toml(scenario);
    fuzz::expect(to_toml(parse_scenario(written, "written.toml")) == written, "what is written reads back");
    if (reads_tables(scenario)) return;
    setup_of(scenario, model);
    if (scenario.ensemble.runs == 0) return;
    const VariedRuns runs(scenario, graph, model);
    runs.run(scenario.ensemble.runs - 1);
  });
}
