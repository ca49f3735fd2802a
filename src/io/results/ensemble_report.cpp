#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "ensemble_files.hpp"
#include "page_data.hpp"
#include "run_head.hpp"
#include "scene.hpp"
#include "ulna/io/scenario/load.hpp"
#include "ulna/version.hpp"

namespace ulna {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::size_t most_times = 500, most_failures_shown = 12;

std::string percentile_name(const Column& column, std::size_t p) {
  return fmt::format("{}_p{:g}", column.name, band_percents[p]);
}

/// Five columns for each that was kept.
struct Tables {
  Json columns = Json::array(), plots = Json::array();
  std::vector<float> data;
};

Tables tables_of(const EnsembleResult& result, const Bands& bands) {
  static constexpr std::array labels{"5 %", "25 %", "median", "75 %", "95 %"};
  Tables tables;
  std::size_t in_group = 0;
  for (std::size_t c = 0; c < result.columns.size(); ++c) {
    const Column& column = result.columns[c];
    in_group = c > 0 && result.columns[c - 1].group == column.group ? in_group + 1 : 0;
    Json names = Json::array();
    for (std::size_t p = 0; p < band_percents.size(); ++p) {
      const std::string name = percentile_name(column, p);
      names.push_back(name);
      tables.columns.push_back(
          {{"name", name}, {"label", labels[p]}, {"unit", column.unit}, {"group", column.group}, {"joint", in_group}});
      for (const double x : bands.bands[c].percentiles[p]) tables.data.push_back(static_cast<float>(x));
    }
    tables.plots.push_back(
        {{"id", column.name},
         {"title", column.label == column.name ? column.name : fmt::format("{} ({})", column.label, column.name)},
         {"columns", names},
         {"bands", Json::array({Json::array({names[4], names[0]}), Json::array({names[3], names[1]})})},
         {"unit", column.unit == "1" ? "" : column.unit}});
  }
  return tables;
}

Json facts_of(const EnsembleRecord& record) {
  const EnsembleResult& result = record.result;
  const Scenario& scenario = record.prepared->scenario;
  const Model& model = record.prepared->model;
  std::string varied;
  for (const Variation& variation : scenario.ensemble.vary) varied += (varied.empty() ? "" : ", ") + variation.text;
  Json facts = Json::array();
  const auto add = [&](const char* term, const std::string& text) { facts.push_back(Json::array({term, text})); };
  add("robot", fmt::format("{} ({} degree{} of freedom)", model.name(), model.nv(), model.nv() == 1 ? "" : "s"));
  add("runs", fmt::format("{} of {:g} s", result.runs.size(), scenario.duration));
  add("varied", varied.empty() ? "the noise" : varied);
  add("seed", fmt::format("{}", scenario.seed));
  add("drive", scenario.drive.kind);
  add("integrator", accuracy_text(scenario));
  add("formulation", result.packed ? result.method + ", in packs" : result.method);
  add("wall clock", fmt::format("{:.3g} s, {} thread{}", result.wall, result.threads, result.threads == 1 ? "" : "s"));
  if (!record.nominal_times.empty()) add("drawn arm", "the nominal run, with nothing varied");
  if (!scenario.provenance.empty()) add("source", scenario.provenance);
  return facts;
}

Json statistics_of(const EnsembleRecord& record) {
  Json rows = Json::array();
  long steps = 0, rejected = 0;
  for (const EnsembleRunResult& run : record.result.runs) {
    steps += run.steps;
    rejected += run.rejected;
  }
  for (const RunStatus status : run_statuses())
    if (const std::size_t count = record.count(status); count > 0)
      rows.push_back(Json::array({fmt::format("runs {}", name_of(status)), fmt::format("{}", count)}));
  rows.push_back(Json::array({"steps", fmt::format("{}", steps)}));
  rows.push_back(Json::array({"rejected steps", fmt::format("{}", rejected)}));
  return rows;
}

/// The first runs that failed, where they did.
Json failures_of(const EnsembleRecord& record) {
  Json events = Json::array();
  for (const std::size_t k : record.failed(most_failures_shown)) {
    const EnsembleRunResult& run = record.result.runs[k];
    events.push_back({{"t", run.time}, {"text", fmt::format("run {}: {}: {}", k, name_of(run.status), run.reason)}});
  }
  std::stable_sort(events.begin(), events.end(),
                   [](const Json& a, const Json& b) { return a["t"].get<double>() < b["t"].get<double>(); });
  return events;
}

std::string status_text(const EnsembleRecord& record) {
  const std::size_t runs = record.result.runs.size(), good = record.count(RunStatus::completed);
  if (good == runs) return fmt::format("all {} runs completed", runs);
  std::string others;
  for (const RunStatus status : run_statuses().subspan(1))
    if (const std::size_t count = record.count(status); count > 0)
      others += fmt::format("{}{} {}", others.empty() ? "" : ", ", count, name_of(status));
  return fmt::format("{} of {} runs completed; {}", good, runs, others);
}

}  // namespace

std::string ensemble_html(const EnsembleRecord& record, std::string_view page) {
  const Bands bands = bands_of(record.result, most_times);
  const Tables tables = tables_of(record.result, bands);
  Json json{{"schema", 1},
            {"title", record.prepared->scenario.name},
            {"subtitle", subject_of(record.prepared->scenario, record.prepared->graph)},
            {"facts", facts_of(record)},
            {"status", {{"ok", record.status() == RunStatus::completed}, {"text", status_text(record)}}},
            {"sampling", {{"samples", bands.times.size()}, {"stride", bands.stride}}},
            {"columns", tables.columns},
            {"data", base64(tables.data)},
            {"time", base64(bands.times)},
            {"plots", tables.plots},
            {"scenario", to_toml(record.prepared->scenario)},
            {"statistics", statistics_of(record)},
            {"events", failures_of(record)},
            {"ulna", version}};
  if (!record.result.note.empty()) json["warnings"] = Json::array({record.result.note});
  if (!record.nominal_times.empty())
    json["scene"] =
        moving_scene(record.prepared->graph, record.prepared->model, record.nominal_times, record.nominal_positions);
  return fill_page(page, json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace ulna
