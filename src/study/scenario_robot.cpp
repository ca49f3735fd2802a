#include <fmt/format.h>

#include <filesystem>

#include "base/text_file.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/model/cut_loops.hpp"
#include "ulna/study/scenario.hpp"

namespace ulna {

namespace {

Graph load_robot(const Scenario& scenario) {
  const ReadRobot& read = scenario.read_robot;
  if (read.graph != nullptr && read.name == scenario.robot) return *read.graph;
  try {
    return load_graph(scenario.robot);
  } catch (const InputError&) {
    const bool no_file = !is_stream(scenario.robot) && !std::filesystem::exists(scenario.robot);
    if (scenario.source.file == scenario.robot && no_file) {
      throw InputError(
          fmt::format("'{}' is no bundled scenario, no bundled robot and no file; check the name", scenario.robot));
    }
    throw;
  }
}

/// With what the scenario changes about it.
Graph changed(const Scenario& scenario, Graph robot) {
  Graph graph = cut_loops(std::move(robot));
  graph.free_base |= scenario.free_base;
  if (scenario.gravity) graph.gravity = *scenario.gravity;
  if (scenario.friction_speed) graph.friction_speed = *scenario.friction_speed;
  for (const Payload& payload : scenario.payloads) add_payload(graph, payload);
  if (!scenario.nonphysical_reason.empty()) {
    graph.allow_nonphysical = true;
    graph.nonphysical_reason = scenario.nonphysical_reason;
  }
  return graph;
}

}  // namespace

Graph robot_of(const Scenario& scenario) { return changed(scenario, load_robot(scenario)); }

Graph robot_of(const Scenario& scenario, const Graph& robot) { return changed(scenario, robot); }

}  // namespace ulna
