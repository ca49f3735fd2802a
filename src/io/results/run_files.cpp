#include "run_files.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "output_folder.hpp"
#include "run_head.hpp"
#include "trajectory_csv.hpp"
#include "trajectory_hdf5.hpp"

namespace ulna {

struct RunFiles::Parts {
  OutputFolder made;  // first: it outlives the files in it
  std::string folder;
  std::vector<Column> columns;
  TrajectoryCsv csv;
  std::unique_ptr<TrajectoryHdf5> hdf5;
  ReportData report;

  Parts(const std::string& where, const ClosedModel& model, bool with_reference, bool with_hdf5)
      : made(where),
        folder(where + "/"),
        columns(trajectory_columns(model.tree, with_reference, model.loops)),
        csv(folder + "trajectory.csv", columns),
        hdf5(with_hdf5 ? std::make_unique<TrajectoryHdf5>(folder + "trajectory.h5", columns) : nullptr),
        report(model, columns) {}
};

RunFiles::RunFiles(const std::string& folder, const ClosedModel& model, bool with_reference, bool with_hdf5)
    : parts_(std::make_unique<Parts>(folder, model, with_reference, with_hdf5)) {}

RunFiles::~RunFiles() = default;

void RunFiles::record(std::span<const double> row) {
  parts_->csv.record(row);
  if (parts_->hdf5) parts_->hdf5->record(row);
  parts_->report.record(row);
}

void RunFiles::step(const RunProgress& progress) { parts_->report.step(progress); }

void RunFiles::commit(const RunRecord& record, std::string_view page) {
  const std::string run = run_json(record, parts_->hdf5 != nullptr);
  parts_->csv.finish();
  if (parts_->hdf5) parts_->hdf5->finish(run);
  std::vector<std::pair<const char*, std::string>> texts;
  if (!page.empty()) texts.emplace_back("report.html", parts_->report.html(head_of(record), record.graph, page));
  texts.emplace_back("run.json", run);
  parts_->made.replace(texts, [&] {
    parts_->csv.put_in_place();
    if (parts_->hdf5) parts_->hdf5->put_in_place();
  });
}

bool RunFiles::replaced() const { return parts_->made.replaces(); }

}  // namespace ulna
