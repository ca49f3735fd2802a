#include <fmt/format.h>

#include "ensemble_files.hpp"
#include "io/report/run_head.hpp"
#include "json_text.hpp"
#include "run_files.hpp"
#include "ulna/io/scenario/load.hpp"
#include "ulna/version.hpp"

namespace ulna {

using Json = nlohmann::ordered_json;

namespace {

/// NaN of too few numbers is null.
Json spread_json(const NumberSpread& spread) {
  Json json{{"count", spread.count}, {"mean", spread.mean}, {"deviation", spread.deviation}};
  for (std::size_t p = 0; p < band_percents.size(); ++p)
    json[fmt::format("p{:g}", band_percents[p])] = spread.percentiles[p];
  return json;
}

Json parameters_json(const EnsembleSummary& summary) {
  const auto parameters = summary.prepared->varied.parameters();
  Json list = Json::array();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    Json json{{"name", parameters[i].name},
              {"unit", parameters[i].unit},
              {"law", parameters[i].law->text},
              {"nominal", parameters[i].nominal}};
    json.update(spread_json(summary.parameters[i]));
    list.push_back(std::move(json));
  }
  return list;
}

Json failures_json(const EnsembleSummary& summary) {
  Json list = Json::array();
  for (const FailedRun& failed : summary.failures)
    list.push_back(
        {{"run", failed.run}, {"status", name_of(failed.status)}, {"time", failed.time}, {"reason", failed.reason}});
  return list;
}

Json ends_json(const EnsembleSummary& summary) {
  Json list = Json::array();
  for (std::size_t c = 0; c < summary.ends.size(); ++c) {
    const Column& column = summary.frame.columns[c];
    Json json{{"column", column.name}, {"unit", column.unit}};
    json.update(spread_json(summary.ends[c]));
    list.push_back(std::move(json));
  }
  return list;
}

}  // namespace

std::string ensemble_json(const EnsembleSummary& summary) {
  const Scenario& scenario = summary.prepared->scenario;
  const EnsembleResult& frame = summary.frame;
  Json counts = Json::object();
  for (const RunStatus status : run_statuses()) counts[std::string(name_of(status))] = summary.count(status);
  const Json json{{"schema", ensemble_schema},
                  {"ulna", version},
                  {"status", name_of(summary.status())},
                  {"runs", summary.runs},
                  {"counts", counts},
                  {"failures", failures_json(summary)},
                  {"robot",
                   {{"name", summary.prepared->model.name()},
                    {"file", scenario.robot},
                    {"hash", robot_hash(summary.prepared->graph)}}},
                  {"tables_hash", tables_hash(scenario)},
                  {"method", frame.method},
                  {"in_packs", frame.packed},
                  {"note", frame.note},
                  {"integrator", scenario.integrator},
                  {"relative", scenario.relative},
                  {"absolute", scenario.absolute},
                  {"step", scenario.step},
                  {"seed", scenario.seed},
                  {"threads", frame.threads},
                  {"wall", frame.wall},
                  {"statistics", {{"steps", summary.steps}, {"rejected", summary.rejected}}},
                  {"parameters", parameters_json(summary)},
                  {"repeated_draws", summary.repeated_draws},
                  {"final", ends_json(summary)},
                  {"columns", columns_json(frame.columns)},
                  {"files", {{"hdf5", "ensemble.h5"}, {"report", "report.html"}}},
                  {"scenario", to_toml(scenario)}};
  return json_text(json, 2);
}

}  // namespace ulna
