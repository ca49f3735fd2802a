#include "html_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "page_data.hpp"
#include "scene.hpp"
#include "ulna/version.hpp"

namespace ulna {

using Json = nlohmann::ordered_json;

namespace {

// What a browser still draws at ease.
constexpr std::size_t most_values = 8'000'000, most_steps = 20'000;

template <class Number>
std::vector<Number> column_of(const Thinned<double>& rows, std::size_t column) {
  std::vector<Number> values;
  for (std::size_t i = 0; i < rows.size(); ++i) values.push_back(static_cast<Number>(rows.at(i, column)));
  return values;
}

/// A plot for each unit that a group of columns has.
void add_plots(Json& plots, const std::vector<Column>& columns, const std::string& group, const std::string& title,
               bool log = false, const std::string& note = "") {
  std::vector<std::string> units;
  for (const Column& column : columns)
    if (column.group == group && std::find(units.begin(), units.end(), column.unit) == units.end())
      units.push_back(column.unit);
  for (const std::string& unit : units) {
    Json names = Json::array();
    for (const Column& column : columns)
      if (column.group == group && column.unit == unit) names.push_back(column.name);
    plots.push_back({{"id", units.size() == 1 ? group : fmt::format("{}_{}", group, plots.size())},
                     {"title", unit == "1" ? "Orientation (unit quaternions)" : title},
                     {"columns", names},
                     {"unit", unit == "1" ? "" : unit},
                     {"log", log},
                     {"note", note}});
  }
}

Json plots_json(const std::vector<Column>& columns) {
  Json plots = Json::array();
  add_plots(plots, columns, "position", "Joint positions");
  add_plots(plots, columns, "deviation", "Distance from the reference", true);
  add_plots(plots, columns, "velocity", "Joint velocities");
  add_plots(plots, columns, "acceleration", "Joint accelerations");
  add_plots(plots, columns, "torque", "Torques and forces of the drives");
  add_plots(plots, columns, "tip", "Tip position");
  add_plots(plots, columns, "tip_velocity", "Tip velocity");
  add_plots(plots, columns, "energy", "Energy");
  add_plots(plots, columns, "work", "Work done so far");
  add_plots(plots, columns, "balance", "Energy balance", false,
            "Energy minus start energy minus work: zero but for the error of the integration.");
  add_plots(plots, columns, "momentum", "Linear momentum");
  add_plots(plots, columns, "angular_momentum", "Angular momentum about the mass centre");
  add_plots(plots, columns, "reaction_force", "Forces in the cut joints");
  add_plots(plots, columns, "reaction_moment", "Moments in the cut joints");
  add_plots(plots, columns, "singularity", "Distance from singular positions", false,
            "How well the driven joints determine the others: smallest over largest singular value.");
  add_plots(plots, columns, "residual", "Residual of the closed loops", true);
  return plots;
}

/// All columns but time, which is apart and in double, one after another.
std::vector<float> values_of(const Thinned<double>& samples, std::size_t columns) {
  std::vector<float> all;
  for (std::size_t k = 1; k < columns; ++k) {
    const std::vector<float> column = column_of<float>(samples, k);
    all.insert(all.end(), column.begin(), column.end());
  }
  return all;
}

/// The robot and as many poses of it as a screen can show.
Json scene_of(const Graph& graph, const Model& model, const Thinned<double>& samples,
              std::vector<std::string>& problems) {
  const std::size_t every = frame_stride(model, samples.size());
  std::vector<double> times, positions;
  for (std::size_t i = 0; i < samples.size(); i += every) {
    times.push_back(samples.at(i, 0));
    for (std::size_t k = 0; k < static_cast<std::size_t>(model.nq()); ++k) positions.push_back(samples.at(i, 1 + k));
  }
  return moving_scene(graph, model, times, positions, problems);
}

}  // namespace

ReportData::ReportData(const Model& model, std::vector<Column> columns)
    : model_(model), columns_(std::move(columns)), samples_(1, 1), steps_(3, most_steps) {
  const auto first =
      std::find_if(columns_.begin(), columns_.end(), [](const Column& c) { return c.group == "reference"; });
  if (first != columns_.end()) {
    const auto start = static_cast<std::size_t>(first - columns_.begin());
    for (std::size_t k = 0; k < model.q_of_v().size(); ++k) {
      if (model.q_of_v()[k] < 0) continue;
      followed_.push_back({1 + static_cast<std::size_t>(model.q_of_v()[k]), start + k});
      Column column = columns_[start + k];
      column.name = fmt::format("deviation{}", k + 1);
      column.group = "deviation";
      columns_.push_back(std::move(column));
    }
  }
  samples_ = Thinned<double>(columns_.size(), std::max<std::size_t>(2, most_values / columns_.size()));
}

void ReportData::record(std::span<const double> row) {
  row_.assign(row.begin(), row.end());
  for (const Followed& f : followed_) row_.push_back(std::abs(row[f.position] - row[f.reference]));
  samples_.add(row_);
}

void ReportData::step(const RunProgress& progress) {
  const double row[] = {progress.t, progress.step, progress.wall};
  steps_.add(row);
}

std::string ReportData::data_json(const ReportHead& head, const Graph& graph) const {
  Json columns = Json::array(), events = Json::array();
  for (const Column& c : columns_)
    columns.push_back({{"name", c.name}, {"label", c.label}, {"unit", c.unit}, {"group", c.group}});
  for (const RunEvent& event : head.events) events.push_back({{"t", event.t}, {"text", event.text}});
  std::vector<std::string> warnings = head.warnings;
  const Json scene = scene_of(graph, model_, samples_, warnings);
  const Json json{{"schema", 1},
                  {"title", head.title},
                  {"subtitle", head.subtitle},
                  {"facts", head.facts},
                  {"status", {{"ok", head.ok}, {"text", head.status}}},
                  {"warnings", warnings},
                  {"sampling", {{"samples", samples_.size()}, {"stride", samples_.stride()}}},
                  {"columns", columns},
                  {"data", base64(values_of(samples_, columns_.size()))},
                  {"time", base64(column_of<double>(samples_, 0))},
                  {"steps",
                   {{"t", base64(column_of<double>(steps_, 0))},
                    {"h", base64(column_of<float>(steps_, 1))},
                    {"wall", base64(column_of<float>(steps_, 2))}}},
                  {"plots", plots_json(columns_)},
                  {"scene", scene},
                  {"scenario", head.scenario},
                  {"statistics", head.statistics},
                  {"events", events},
                  {"energy_balance", {{"text", head.energy_balance}}},
                  {"ulna", version}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string ReportData::html(const ReportHead& head, const Graph& graph, std::string_view page) const {
  return fill_page(page, data_json(head, graph));
}

}  // namespace ulna
