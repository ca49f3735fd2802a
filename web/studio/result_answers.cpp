#include <fmt/format.h>

#include "io/report/run_head.hpp"
#include "studio/last_run.hpp"
#include "studio/session.hpp"
#include "ulna/base/csv_reader.hpp"
#include "ulna/io/scenario/load.hpp"

namespace ulna::studio {

namespace {

constexpr std::size_t most_numbers = 20'000'000;  // of a trajectory: 160 MB

RunStatus status_named(std::string_view name) {
  for (int k = 0; k <= static_cast<int>(RunStatus::interrupted); ++k)
    if (const auto status = static_cast<RunStatus>(k); name_of(status) == name) return status;
  throw InputError(fmt::format("run.json: '{}' is no status of a run", name));
}

/// How the run ended, as run.json has it.
RunResult result_in(const Json& json) {
  RunResult result;
  result.status = status_named(json.at("status").get<std::string>());
  result.reason = json.value("reason", "");
  result.time = json.at("time").get<double>();
  result.wall = json.value("wall", 0.0);
  result.samples = json.value("samples", 0L);
  const Json none = Json::object(), counts = json.value("statistics", none),
             balance = json.value("energy_balance", none);
  result.statistics.steps = counts.value("steps", 0L);
  result.statistics.rejected = counts.value("rejected", 0L);
  result.statistics.right_hand_sides = counts.value("right_hand_sides", 0L);
  result.statistics.output_right_hand_sides = counts.value("output_right_hand_sides", 0L);
  result.statistics.jacobians = counts.value("jacobians", 0L);
  result.statistics.factorisations = counts.value("factorisations", 0L);
  result.largest_imbalance = balance.value("largest", 0.0);
  result.largest_energy = balance.value("scale", 0.0);
  for (const Json& event : json.value("events", Json::array()))
    result.events.push_back({event.at("t").get<double>(), event.at("text").get<std::string>()});
  return result;
}

std::vector<Column> columns_in(const Json& json) {
  std::vector<Column> columns;
  for (const Json& c : json.at("columns"))
    columns.push_back({c.at("name").get<std::string>(), c.at("label").get<std::string>(),
                       c.at("unit").get<std::string>(), c.at("group").get<std::string>()});
  return columns;
}

/// The scenario that run.json holds, if the robot that is loaded is the one of that run.
Scenario scenario_in(const Json& json, const Graph& graph) {
  Scenario scenario = parse_scenario(json.at("scenario").get<std::string>(), "run.json");
  const std::string then = json.at("robot").value("hash", "");
  if (const std::string now = robot_hash(robot_of(scenario, graph)); !then.empty() && then != now)
    throw InputError(
        fmt::format("the run is of another robot than '{}', or of one that has changed since (hash {}, then "
                    "{}); give the robot's file together with the run",
                    graph.name, now, then));
  return scenario;
}

}  // namespace

/// The robot that a scenario names, or that of the run that a run.json tells of, for the page to load it.
Json Engine::Session::named_robot(const Json& request) {
  const bool is_run = request.contains("run");
  const std::string text = is_run ? Json::parse(request.at("run").get<std::string>()).at("scenario").get<std::string>()
                                  : request.at("scenario").get<std::string>();
  const Scenario scenario = parse_scenario(text, is_run ? "run.json" : "run.toml");
  return {{"robot", scenario.robot}, {"free_base", scenario.free_base}};
}

/// The samples of a run that was simulated before: run.json, and the file of its trajectory.
Json Engine::Session::result(const Json& request) {
  const Json json = Json::parse(request.at("run").get<std::string>());
  Scenario scenario = scenario_in(json, current().graph);
  const std::vector<Column> columns = columns_in(json);
  auto graph = std::make_shared<const Graph>(robot_of(scenario, current().graph));
  auto model = std::make_shared<const Model>(build(*graph));
  if (const auto wanted = static_cast<std::size_t>(1 + model->nq() + model->nv()); columns.size() < wanted)
    throw InputError(
        fmt::format("run.json: {} columns; this robot has {} positions and velocities", columns.size(), wanted));
  std::string letters;
  for (const Column& column : columns) letters += column.name.substr(0, 1);
  CsvReader reader(request.at("file").get<std::string>(), letters, {}, "trajectory");
  auto made = std::make_shared<LastRun>(model);
  made->begin(columns);
  for (Numbers row; reader.next(row);) {
    made->record(row);
    if (made->trajectory.size() * columns.size() > most_numbers) reader.fail("holds more than a page can show");
  }
  if (made->trajectory.size() == 0) reader.fail("holds no row of numbers");
  made->result = {std::move(scenario), graph, model, json.value("method", ""), "", result_in(json), columns, {}, {}};
  last = std::move(made);
  return shown_run();
}

}  // namespace ulna::studio
