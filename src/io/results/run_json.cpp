#include <fmt/format.h>

#include <fstream>
#include <iterator>

#include "base/fnv.hpp"
#include "io/report/run_head.hpp"
#include "json_text.hpp"
#include "run_files.hpp"
#include "ulna/io/scenario/load.hpp"
#include "ulna/study/path_plan.hpp"
#include "ulna/version.hpp"

namespace ulna {

using Json = nlohmann::ordered_json;

namespace {

/// Of a path file too: it may name tables of its own.
std::vector<std::string> files_of(const ScenarioDrive& drive) {
  std::vector<std::string> files{drive.file};
  if (!drive.motion) return files;
  files.push_back(drive.motion->file);
  if (drive.motion->kind != "path") return files;
  for (const PathMove& move : load_path_plan(drive.motion->file).moves)
    files.insert(files.end(), {move.waypoints, move.poses});
  return files;
}

}  // namespace

std::string tables_hash(const Scenario& scenario) {
  std::string all;
  for (const std::string& path : files_of(scenario.drive)) {
    if (path.empty()) continue;
    std::ifstream file(path, std::ios::binary);
    all.append(std::istreambuf_iterator<char>(file), {});
  }
  return all.empty() ? "" : fmt::format("{:016x}", fnv1a(all));
}

namespace {

Json statistics_json(const IntegratorStatistics& s) {
  return {{"steps", s.steps},
          {"rejected", s.rejected},
          {"right_hand_sides", s.right_hand_sides},
          {"output_right_hand_sides", s.output_right_hand_sides},
          {"jacobians", s.jacobians},
          {"factorisations", s.factorisations}};
}

Json events_json(const RunResult& result) {
  Json events = Json::array();
  for (const RunEvent& event : result.events) events.push_back({{"t", event.t}, {"text", event.text}});
  return events;
}

Json growth_json(const PlaybackGrowth& growth) {
  Json rows = Json::array();
  for (const PlaybackGrowth::Row& row : growth.rows)
    rows.push_back({{"t", row.t}, {"amplification", row.amplification}});
  return {{"rate", growth.rate}, {"amplification", rows}};
}

}  // namespace

std::string run_json(const Record& record, std::span<const TrajectoryFormat* const> formats) {
  const Scenario& scenario = record.scenario;
  const RunResult& result = record.result;
  Json files;
  for (const TrajectoryFormat* format : formats) files[format->key] = format->file;
  files["report"] = "report.html";
  Json json{{"schema", trajectory_schema},
            {"ulna", version},
            {"status", name_of(result.status)},
            {"reason", result.reason},
            {"time", result.time},
            {"robot", {{"name", record.model->name()}, {"file", scenario.robot}, {"hash", robot_hash(*record.graph)}}},
            {"tables_hash", tables_hash(scenario)},
            {"method", record.method},
            {"integrator", scenario.integrator},
            {"relative", scenario.relative},
            {"absolute", scenario.absolute},
            {"step", scenario.step},
            {"seed", scenario.seed},
            {"statistics", statistics_json(result.statistics)},
            {"wall", result.wall},
            {"samples", result.samples},
            {"energy_balance", {{"largest", result.largest_imbalance}, {"scale", result.largest_energy}}},
            {"events", events_json(result)},
            {"final", {{"q", result.final_q}, {"v", result.final_v}}},
            {"files", files},
            {"columns", columns_json(record.columns)},
            {"scenario", to_toml(scenario)}};
  if (!record.model->loops().empty())
    json["loops"] = {{"largest_residual", result.largest_residual}, {"start_moved", result.start_moved}};
  if (record.growth) json["playback"] = growth_json(*record.growth);
  // a path may hold bytes that are no UTF-8; they must not cost the run
  return json_text(json, 2);
}

}  // namespace ulna
