#include "studio/session.hpp"

#include <optional>

#include "io/report/run_head.hpp"
#include "io/report/scene.hpp"
#include "ulna/io/scenario/load.hpp"
#include "ulna/study/run.hpp"

namespace ulna::studio {

Json Engine::Session::integrators_known() const {
  Json list = Json::array();
  for (const IntegratorInfo& info : integrators())
    list.push_back({{"name", info.name}, {"title", info.title}, {"needs_step", info.needs_step}});
  return {{"integrators", list}};
}

namespace {

/// A run's samples twice: as they are, and as the page of a report keeps them.
class TwoRecorders final : public Recorder {
 public:
  explicit TwoRecorders(const Model& model) : model_(model) {}
  void begin(std::span<const Column> columns) override {
    trajectory.begin(columns);
    report.emplace(model_, std::vector<Column>(columns.begin(), columns.end()));
  }
  void record(std::span<const double> row) override {
    trajectory.record(row);
    report->record(row);
  }
  void step(const RunProgress& progress) override { report->step(progress); }

  Trajectory trajectory;
  std::optional<ReportData> report;

 private:
  const Model& model_;
};

}  // namespace

/// A scenario (TOML, doc/scenario_files.md) with the robot that is loaded in the place of the one that it names.
Json Engine::Session::simulate(const Json& request) {
  const std::string text = request.at("scenario").get<std::string>();
  const PreparedRun prepared = prepare(parse_scenario(text, "run.toml"), current().graph);
  if (prepared.setup.duration / prepared.setup.every * static_cast<double>(prepared.model->nv()) > 2e6)
    throw InputError("the run has more samples than a page can hold; make it shorter, or sample it less often");
  TwoRecorders recorder(*prepared.model);
  const Record record = run(prepared, recorder, {});
  const Trajectory& samples = recorder.trajectory;
  Numbers rows;
  for (std::size_t i = 0; i < samples.size(); ++i)
    rows.insert(rows.end(), samples.row(i).begin(), samples.row(i).end());
  Json columns = Json::array();
  for (const Column& column : samples.columns()) columns.push_back(column.name);
  arrays.add("rows", rows);
  return {{"columns", columns},
          {"status", name_of(record.result.status)},
          {"wall", record.result.wall},
          {"run", recorder.report->data_json(head_of(record), *record.graph)}};
}

}  // namespace ulna::studio
