#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ensemble_files.hpp"
#include "json_text.hpp"
#include "run_files.hpp"
#include "ulna/io/scenario/load.hpp"
#include "ulna/version.hpp"

namespace ulna {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::size_t most_failures = 100;

/// Mean, deviation and percentiles of finite numbers.
Json spread_of(std::vector<double> values) {
  std::erase_if(values, [](double x) { return !std::isfinite(x); });
  const auto n = static_cast<double>(values.size());
  double mean = 0.0, squares = 0.0;
  for (const double x : values) mean += x / n;
  for (const double x : values) squares += (x - mean) * (x - mean);
  const auto percentiles = percentiles_of(values);
  Json json{{"count", values.size()},
            {"mean", values.empty() ? Json(nullptr) : Json(mean)},
            {"deviation", n > 1 ? Json(std::sqrt(squares / (n - 1.0))) : Json(nullptr)}};
  for (std::size_t p = 0; p < percentiles.size(); ++p) json[fmt::format("p{:g}", band_percents[p])] = percentiles[p];
  return json;
}

Json parameters_json(const EnsembleRecord& record) {
  const auto parameters = record.prepared->varied.parameters();
  std::vector<std::vector<double>> values(parameters.size());
  for (std::size_t k = 0; k < record.result.runs.size(); ++k) {
    const std::vector<double> own = record.prepared->varied.values(k);
    for (std::size_t i = 0; i < own.size(); ++i) values[i].push_back(own[i]);
  }
  Json list = Json::array();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    Json json{{"name", parameters[i].name},
              {"unit", parameters[i].unit},
              {"law", parameters[i].law->text},
              {"nominal", parameters[i].nominal}};
    json.update(spread_of(std::move(values[i])));
    list.push_back(std::move(json));
  }
  return list;
}

Json failures_json(const EnsembleRecord& record) {
  Json list = Json::array();
  for (const std::size_t k : record.failed(most_failures)) {
    const EnsembleRunResult& run = record.result.runs[k];
    list.push_back({{"run", k}, {"status", name_of(run.status)}, {"time", run.time}, {"reason", run.reason}});
  }
  return list;
}

Json ends_json(const EnsembleResult& result) {
  Json list = Json::array();
  for (std::size_t c = 0; c < result.columns.size(); ++c) {
    std::vector<double> values;
    for (std::size_t run = 0; run < result.runs.size(); ++run)
      values.push_back(result.sample(run, result.times.size() - 1)[c]);
    Json json{{"column", result.columns[c].name}, {"unit", result.columns[c].unit}};
    json.update(spread_of(std::move(values)));
    list.push_back(std::move(json));
  }
  return list;
}

}  // namespace

std::string ensemble_json(const EnsembleRecord& record) {
  const Scenario& scenario = record.prepared->scenario;
  const EnsembleResult& result = record.result;
  Json counts = Json::object();
  for (const RunStatus status : run_statuses()) counts[std::string(name_of(status))] = record.count(status);
  long steps = 0, rejected = 0, repeated = 0;
  for (std::size_t k = 0; k < result.runs.size(); ++k) {
    steps += result.runs[k].steps;
    rejected += result.runs[k].rejected;
    repeated += record.prepared->varied.repeated(k);
  }
  const Json json{{"schema", ensemble_schema},
                  {"ulna", version},
                  {"status", name_of(record.status())},
                  {"runs", result.runs.size()},
                  {"counts", counts},
                  {"failures", failures_json(record)},
                  {"robot",
                   {{"name", record.prepared->model.name()},
                    {"file", scenario.robot},
                    {"hash", robot_hash(record.prepared->graph)}}},
                  {"tables_hash", tables_hash(scenario)},
                  {"method", result.method},
                  {"in_packs", result.packed},
                  {"note", result.note},
                  {"integrator", scenario.integrator},
                  {"relative", scenario.relative},
                  {"absolute", scenario.absolute},
                  {"step", scenario.step},
                  {"seed", scenario.seed},
                  {"threads", result.threads},
                  {"wall", result.wall},
                  {"statistics", {{"steps", steps}, {"rejected", rejected}}},
                  {"parameters", parameters_json(record)},
                  {"repeated_draws", repeated},
                  {"final", ends_json(result)},
                  {"files", {{"hdf5", "ensemble.h5"}, {"report", "report.html"}}},
                  {"scenario", to_toml(scenario)}};
  return json_text(json, 2);
}

}  // namespace ulna
