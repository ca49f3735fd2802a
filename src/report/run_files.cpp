#include "run_files.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "run_head.hpp"
#include "trajectory_csv.hpp"
#include "trajectory_hdf5.hpp"
#include "ulna/model/finding.hpp"

namespace ulna {

namespace {

/// Made with all folders above it; those that stay empty, because the run was refused, go again.
class Folder {
 public:
  explicit Folder(const std::string& name) {
    namespace fs = std::filesystem;
    std::error_code error;
    for (fs::path path = fs::absolute(name).lexically_normal(); !fs::exists(path, error) && path.has_relative_path();
         path = path.parent_path())
      made_.push_back(path);
    fs::create_directories(name, error);
    if (!fs::is_directory(name, error)) {
      remove_empty();
      throw InputError(Source{name, 0}, "is not a folder and cannot be made one; choose another with -o");
    }
  }
  ~Folder() { remove_empty(); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

 private:
  void remove_empty() const {
    std::error_code error;
    for (const std::filesystem::path& path : made_) std::filesystem::remove(path, error);
  }

  std::vector<std::filesystem::path> made_;  // the deepest first
};

}  // namespace

struct RunFiles::Parts {
  Folder made;  // first: it outlives the files in it
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
  parts_->csv.commit();
  std::error_code error;  // from here on those of an earlier run would lie
  for (const char* stale : {"run.json", "trajectory.h5"}) std::filesystem::remove(parts_->folder + stale, error);
  if (parts_->hdf5) parts_->hdf5->commit(run);
  if (!page.empty()) write_file(parts_->folder + "report.html", parts_->report.html(head_of(record), record.graph, page));
  write_file(parts_->folder + "run.json", run);  // last: where it is, the rest is
}

}  // namespace ulna
