#include "run_files.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "output_folder.hpp"
#include "run_head.hpp"
#include "trajectory_csv.hpp"
#include "trajectory_hdf5.hpp"

namespace ulna {

struct [[gnu::visibility("hidden")]] RunFiles::Parts {
  struct Files {
    Files(const Parts& parts, std::span<const Column> columns)
        : csv(parts.folder + "trajectory.csv", columns),
          hdf5(parts.with_hdf5 ? std::make_unique<TrajectoryHdf5>(parts.folder + "trajectory.h5", columns) : nullptr),
          report(parts.model, {columns.begin(), columns.end()}) {}

    TrajectoryCsv csv;
    std::unique_ptr<TrajectoryHdf5> hdf5;
    ReportData report;
  };

  OutputFolder made;  // first: it outlives the files in it
  std::string folder;
  const Model& model;
  bool with_hdf5;
  std::optional<Files> files;  // once the columns are known
};

RunFiles::RunFiles(const std::string& folder, const Model& model, bool with_hdf5)
    : parts_(new Parts{OutputFolder(folder), folder + "/", model, with_hdf5, {}}) {}

RunFiles::~RunFiles() = default;

void RunFiles::begin(std::span<const Column> columns) { parts_->files.emplace(*parts_, columns); }

void RunFiles::record(std::span<const double> row) {
  parts_->files->csv.record(row);
  if (parts_->files->hdf5) parts_->files->hdf5->record(row);
  parts_->files->report.record(row);
}

void RunFiles::step(const RunProgress& progress) { parts_->files->report.step(progress); }

void RunFiles::commit(const Record& record, std::string_view page) {
  const std::string run = run_json(record, parts_->files->hdf5 != nullptr);
  parts_->files->csv.finish();
  if (parts_->files->hdf5) parts_->files->hdf5->finish(run);
  std::vector<std::pair<const char*, std::string>> texts;
  if (!page.empty())
    texts.emplace_back("report.html", parts_->files->report.html(head_of(record), *record.graph, page));
  texts.emplace_back("run.json", run);
  parts_->made.replace(texts, [&] {
    parts_->files->csv.put_in_place();
    if (parts_->files->hdf5) parts_->files->hdf5->put_in_place();
  });
}

bool RunFiles::replaced() const { return parts_->made.replaces(); }

}  // namespace ulna
