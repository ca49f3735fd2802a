#include <fmt/format.h>

#include "io/report/html_report.hpp"
#include "io/report/run_head.hpp"
#include "studio/last_run.hpp"
#include "studio/session.hpp"
#include "ulna/io/scenario/load.hpp"

namespace ulna::studio {

Json Engine::Session::integrators_known() const {
  Json list = Json::array();
  for (const IntegratorInfo& info : integrators())
    list.push_back({{"name", info.name}, {"title", info.title}, {"needs_step", info.needs_step}});
  return {{"integrators", list}};
}

void LastRun::begin(std::span<const Column> columns) {
  trajectory.begin(columns);
  report.emplace(*model, std::vector<Column>(columns.begin(), columns.end()));
}

void LastRun::record(std::span<const double> row) {
  trajectory.record(row);
  report->record(row);
}

/// What the page shows of a run: the report's record, and all samples.
Json Engine::Session::shown_run() {
  Numbers rows;
  const Trajectory& samples = last->trajectory;
  for (std::size_t i = 0; i < samples.size(); ++i)
    rows.insert(rows.end(), samples.row(i).begin(), samples.row(i).end());
  Json columns = Json::array();
  for (const Column& column : samples.columns()) columns.push_back(column.name);
  arrays.add("rows", rows);
  return {{"columns", columns},
          {"status", name_of(last->result.result.status)},
          {"wall", last->result.result.wall},
          {"scenario", to_toml(last->result.scenario)},
          {"run", last->report->data_json(head_of(last->result), *last->result.graph)}};
}

/// A scenario (TOML, doc/scenario_files.md) with the robot that is loaded in the place of the one that it names.
Json Engine::Session::simulate(const Json& request) {
  const std::string text = request.at("scenario").get<std::string>();
  const PreparedRun prepared = prepare(parse_scenario(text, "run.toml"), current().graph);
  if (prepared.setup.duration / prepared.setup.every * static_cast<double>(prepared.model->nv()) > 2e6)
    throw InputError("the run has more samples than a page can hold; make it shorter, or sample it less often");
  auto made = std::make_shared<LastRun>(prepared.model);
  made->result = run(prepared, *made, {});
  last = std::move(made);
  return shown_run();
}

/// Where the motion that a scenario's drive follows begins, and when it ends.
Json Engine::Session::motion(const Json& request) {
  const std::string text = request.at("scenario").get<std::string>();
  const PreparedRun prepared = prepare(parse_scenario(text, "run.toml"), current().graph);
  const ReferencePointer reference = reference_of(prepared.setup.actions.drive);
  if (!reference) throw InputError("the drive follows no motion");
  const Model& model = *prepared.model;
  Numbers q = prepared.setup.q0, at(reference->size()), v(at.size()), a(at.size());
  reference->at(0.0, 0.0, at, v, a);
  for (std::size_t k = 0; k < at.size(); ++k)
    if (const int place = model.q_of_v()[k]; place >= 0) q[static_cast<std::size_t>(place)] = at[k];
  arrays.add("q", q);
  return {{"end", reference->breaks().empty() ? prepared.setup.duration : reference->breaks().back()}};
}

/// report.html of the last run, as `ulna simulate` writes it: `page` is the template of that page.
Json Engine::Session::report(const Json& request) {
  if (!last) throw InputError("there is no run to report on");
  const std::string page = request.at("page").get<std::string>();
  return {{"html", last->report->html(head_of(last->result), *last->result.graph, page)}};
}

}  // namespace ulna::studio
