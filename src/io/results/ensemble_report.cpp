#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "ensemble_files.hpp"
#include "io/report/page_data.hpp"
#include "io/report/run_head.hpp"
#include "io/report/scene.hpp"
#include "ulna/io/scenario/load.hpp"
#include "ulna/version.hpp"

namespace ulna {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::size_t most_failures_shown = 12;

std::string percentile_name(const Column& column, std::size_t p) {
  return fmt::format("{}_p{:g}", column.name, band_percents[p]);
}

/// Five columns for each that was kept.
struct Tables {
  Json columns = Json::array(), plots = Json::array();
  std::vector<float> data;
};

Tables tables_of(const EnsembleSummary& summary) {
  static constexpr std::array labels{"5 %", "25 %", "median", "75 %", "95 %"};
  Tables tables;
  std::size_t in_group = 0;
  const std::vector<Column>& kept = summary.frame.columns;
  for (std::size_t c = 0; c < kept.size(); ++c) {
    const Column& column = kept[c];
    in_group = c > 0 && kept[c - 1].group == column.group ? in_group + 1 : 0;
    Json names = Json::array();
    for (std::size_t p = 0; p < band_percents.size(); ++p) {
      const std::string name = percentile_name(column, p);
      names.push_back(name);
      tables.columns.push_back(
          {{"name", name}, {"label", labels[p]}, {"unit", column.unit}, {"group", column.group}, {"joint", in_group}});
      for (const Percentiles& own : summary.bands.of[c]) tables.data.push_back(static_cast<float>(own[p]));
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

Json facts_of(const EnsembleSummary& summary) {
  const EnsembleResult& frame = summary.frame;
  const Scenario& scenario = summary.prepared->scenario;
  const Model& model = summary.prepared->model;
  std::string varied;
  for (const Variation& variation : scenario.ensemble.vary) varied += (varied.empty() ? "" : ", ") + variation.text;
  Json facts = Json::array();
  const auto add = [&](const char* term, const std::string& text) { facts.push_back(Json::array({term, text})); };
  add("robot", fmt::format("{} ({} degree{} of freedom)", model.name(), model.nv(), model.nv() == 1 ? "" : "s"));
  add("runs", fmt::format("{} of {:g} s", summary.runs, scenario.duration));
  add("varied", varied.empty() ? "the noise" : varied);
  add("seed", fmt::format("{}", scenario.seed));
  add("drive", scenario.drive.kind);
  add("integrator", accuracy_text(scenario));
  add("formulation", frame.packed ? frame.method + ", in packs" : frame.method);
  add("wall clock", fmt::format("{:.3g} s, {} thread{}", frame.wall, frame.threads, frame.threads == 1 ? "" : "s"));
  if (!summary.nominal.times.empty()) add("drawn arm", "the nominal run, with nothing varied");
  if (!scenario.provenance.empty()) add("source", scenario.provenance);
  return facts;
}

Json statistics_of(const EnsembleSummary& summary) {
  Json rows = Json::array();
  for (const RunStatus status : run_statuses())
    if (const std::size_t count = summary.count(status); count > 0)
      rows.push_back(Json::array({fmt::format("runs {}", name_of(status)), fmt::format("{}", count)}));
  rows.push_back(Json::array({"steps", fmt::format("{}", summary.steps)}));
  rows.push_back(Json::array({"rejected steps", fmt::format("{}", summary.rejected)}));
  return rows;
}

/// The first runs that failed, where they did.
Json failures_of(const EnsembleSummary& summary) {
  Json events = Json::array();
  for (const FailedRun& run : std::span(summary.failures).first(std::min(most_failures_shown, summary.failures.size())))
    events.push_back(
        {{"t", run.time}, {"text", fmt::format("run {}: {}: {}", run.run, name_of(run.status), run.reason)}});
  std::stable_sort(events.begin(), events.end(),
                   [](const Json& a, const Json& b) { return a["t"].get<double>() < b["t"].get<double>(); });
  return events;
}

std::string status_text(const EnsembleSummary& summary) {
  const std::size_t runs = summary.runs, good = summary.count(RunStatus::completed);
  if (good == runs) return fmt::format("all {} runs completed", runs);
  std::string others;
  for (const RunStatus status : run_statuses().subspan(1))
    if (const std::size_t count = summary.count(status); count > 0)
      others += fmt::format("{}{} {}", others.empty() ? "" : ", ", count, name_of(status));
  return fmt::format("{} of {} runs completed; {}", good, runs, others);
}

}  // namespace

std::string ensemble_html(const EnsembleSummary& summary, std::string_view page) {
  const Bands& bands = summary.bands;
  const Tables tables = tables_of(summary);
  Json json{{"schema", 1},
            {"title", summary.prepared->scenario.name},
            {"subtitle", subject_of(summary.prepared->scenario, summary.prepared->graph)},
            {"facts", facts_of(summary)},
            {"status", {{"ok", summary.status() == RunStatus::completed}, {"text", status_text(summary)}}},
            {"sampling", {{"samples", bands.times.size()}, {"stride", bands.stride}}},
            {"columns", tables.columns},
            {"data", base64(tables.data)},
            {"time", base64(bands.times)},
            {"plots", tables.plots},
            {"scenario", to_toml(summary.prepared->scenario)},
            {"statistics", statistics_of(summary)},
            {"events", failures_of(summary)},
            {"ulna", version}};
  std::vector<std::string> warnings;
  if (!summary.frame.note.empty()) warnings.push_back(summary.frame.note);
  if (!summary.nominal.times.empty())
    json["scene"] = moving_scene(summary.prepared->graph, summary.prepared->model, summary.nominal.times,
                                 summary.nominal.positions, warnings);
  if (!warnings.empty()) json["warnings"] = warnings;
  return fill_page(page, json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace ulna
