#include "html_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "scene.hpp"
#include "ulna/integrate/integrator.hpp"
#include "ulna/version.hpp"

namespace ulna {

using Json = nlohmann::ordered_json;

namespace {

// What a browser still draws at ease.
constexpr std::size_t most_values = 8'000'000, most_steps = 20'000, most_poses = 120'000, most_frames = 2'000;

std::string base64(const void* data, std::size_t size) {
  static constexpr char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto* bytes = static_cast<const unsigned char*>(data);
  std::string out;
  out.reserve((size + 2) / 3 * 4);
  for (std::size_t i = 0; i < size; i += 3) {
    const std::size_t left = std::min<std::size_t>(3, size - i);
    unsigned group = 0;
    for (std::size_t k = 0; k < 3; ++k) group = group << 8 | (k < left ? bytes[i + k] : 0u);
    for (std::size_t k = 0; k < 4; ++k) out += k <= left ? letters[group >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

template <class Number>
std::string base64(const std::vector<Number>& values) {
  return base64(values.data(), values.size() * sizeof(Number));
}

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
                     {"group", group},
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
  return plots;
}

std::string accuracy_text(const Scenario& scenario) {
  const IntegratorInfo& info = integrator_info(scenario.integrator);
  if (scenario.step > 0.0) return fmt::format("{}, step {:g} s", scenario.integrator, scenario.step);
  if (!info.takes_tolerance) return std::string(scenario.integrator);
  return scenario.relative == scenario.absolute
             ? fmt::format("{}, tolerance {:g}", scenario.integrator, scenario.relative)
             : fmt::format("{}, tolerance {:g} relative, {:g} absolute", scenario.integrator, scenario.relative,
                           scenario.absolute);
}

Json facts_json(const RunRecord& record) {
  const Model& model = record.model;
  const Vec3<double>& g = model.gravity();
  Json facts = Json::array();
  facts.push_back({"robot", fmt::format("{} ({} degree{} of freedom{})", model.name(), model.nv(),
                                        model.nv() == 1 ? "" : "s", model.has_free_base() ? ", free base" : "")});
  facts.push_back({"drive", record.scenario.drive.kind});
  facts.push_back({"integrator", accuracy_text(record.scenario)});
  facts.push_back({"formulation", record.method});
  facts.push_back({"gravity", fmt::format("({:g}, {:g}, {:g}) m/s²", g.x, g.y, g.z)});
  facts.push_back({"samples", fmt::format("{}, every {:g} s", record.result.samples, record.scenario.every)});
  facts.push_back({"wall clock", fmt::format("{:.3g} s, {:.3g} × real time", record.result.wall,
                                             record.result.time / std::max(record.result.wall, 1e-9))});
  if (!record.scenario.provenance.empty()) facts.push_back({"source", record.scenario.provenance});
  return facts;
}

Json statistics_json(const RunRecord& record) {
  const IntegratorStatistics& s = record.result.statistics;
  Json rows = Json::array();
  for (const auto& [name, value] : {std::pair{"steps", s.steps},
                                    {"rejected steps", s.rejected},
                                    {"right-hand sides", s.right_hand_sides},
                                    {"right-hand sides for output", s.output_right_hand_sides},
                                    {"Jacobians", s.jacobians},
                                    {"factorisations", s.factorisations}})
    rows.push_back({name, fmt::format("{}", value)});
  rows.push_back({"robot hash", robot_hash(record.graph)});
  rows.push_back({"seed", fmt::format("{}", record.scenario.seed)});
  return rows;
}

Json warnings_json(const RunRecord& record) {
  Json warnings = Json::array();
  if (record.growth) {
    warnings.push_back(fmt::format(
        "Playback without feedback: small deviations grow up to {:.1e} times in this run, {:.2g} per second "
        "on average, so that even rounding errors become visible.",
        record.growth->largest.amplification, record.growth->rate));
  }
  return warnings;
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
Json moving_scene(const Graph& graph, const Model& model, const Thinned<double>& samples) {
  const std::size_t most =
      std::clamp<std::size_t>(most_poses / std::max<std::size_t>(1, model.bodies().size()), 2, most_frames);
  const std::size_t every = std::max<std::size_t>(1, (samples.size() + most - 1) / most);
  std::vector<double> times, positions;
  for (std::size_t i = 0; i < samples.size(); i += every) {
    times.push_back(samples.at(i, 0));
    for (std::size_t k = 0; k < static_cast<std::size_t>(model.nq()); ++k) positions.push_back(samples.at(i, 1 + k));
  }
  Json scene = scene_json(graph, model);
  scene["frames"] = {{"t", base64(times)}, {"poses", base64(body_poses(model, positions))}};
  return scene;
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

std::string ReportData::data_json(const RunRecord& record) const {
  const RunResult& result = record.result;
  const Scenario& scenario = record.scenario;
  Json columns = Json::array(), events = Json::array();
  for (const Column& c : columns_)
    columns.push_back({{"name", c.name}, {"label", c.label}, {"unit", c.unit}, {"group", c.group}});
  for (const RunEvent& event : result.events) events.push_back({{"t", event.t}, {"text", event.text}});
  const double scale = std::max(result.largest_energy, 1e-300);
  const Json json{{"schema", 1},
                  {"title", scenario.name},
                  {"subtitle", scenario.title.empty() ? record.graph.title : scenario.title},
                  {"facts", facts_json(record)},
                  {"status",
                   {{"ok", result.status == RunStatus::completed},
                    {"text", result.status == RunStatus::completed
                                 ? fmt::format("completed at t = {:g} s", result.time)
                                 : fmt::format("ended at t = {:.9g} s: {}", result.time, result.reason)}}},
                  {"warnings", warnings_json(record)},
                  {"sampling", {{"samples", samples_.size()}, {"stride", samples_.stride()}}},
                  {"columns", columns},
                  {"data", base64(values_of(samples_, columns_.size()))},
                  {"time", base64(column_of<double>(samples_, 0))},
                  {"steps",
                   {{"t", base64(column_of<double>(steps_, 0))},
                    {"h", base64(column_of<float>(steps_, 1))},
                    {"wall", base64(column_of<float>(steps_, 2))}}},
                  {"plots", plots_json(columns_)},
                  {"scene", moving_scene(record.graph, model_, samples_)},
                  {"scenario", to_toml(scenario)},
                  {"statistics", statistics_json(record)},
                  {"events", events},
                  {"energy_balance",
                   {{"text", fmt::format("largest |energy − work| {:.2e} J, {:.1e} of the energy that was exchanged",
                                         result.largest_imbalance, result.largest_imbalance / scale)}}},
                  {"ulna", version}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string ReportData::html(const RunRecord& record, std::string_view page) const {
  static constexpr std::string_view placeholder = "/*ULNA_DATA*/";
  const std::size_t at = page.find(placeholder);
  std::string html(page.substr(0, at));
  for (const char c : data_json(record)) {  // nothing in the data may end the script
    if (c == '<')
      html += "\\u003c";
    else
      html += c;
  }
  html += page.substr(at + placeholder.size());
  return html;
}

}  // namespace ulna
