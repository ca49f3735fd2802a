#include "run_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "io/report/run_head.hpp"
#include "output_folder.hpp"

namespace ulna {

std::vector<const TrajectoryFormat*> formats_of(std::span<const std::string> also) {
  std::vector<const TrajectoryFormat*> formats;
  for (const std::string& name : also) trajectory_format_named(name);  // refuses what there is not
  for (const TrajectoryFormat& format : trajectory_formats())
    if (format.always || std::find(also.begin(), also.end(), format.name) != also.end()) formats.push_back(&format);
  return formats;
}

struct [[gnu::visibility("hidden")]] RunFiles::Parts {
  struct Files {
    Files(const Parts& parts, std::span<const Column> columns) : report(parts.model, {columns.begin(), columns.end()}) {
      for (const TrajectoryFormat* format : parts.formats)
        trajectories.push_back(format->make(parts.folder + std::string(format->file), columns));
    }

    std::vector<std::unique_ptr<TrajectoryFile>> trajectories;
    ReportData report;
  };

  OutputFolder made;  // first: it outlives the files in it
  std::string folder;
  const Model& model;
  std::vector<const TrajectoryFormat*> formats;
  std::optional<Files> files;  // once the columns are known
};

RunFiles::RunFiles(const std::string& folder, const Model& model, std::vector<const TrajectoryFormat*> formats)
    : parts_(new Parts{OutputFolder(folder), folder + "/", model, std::move(formats), {}}) {}

RunFiles::~RunFiles() = default;

void RunFiles::begin(std::span<const Column> columns) { parts_->files.emplace(*parts_, columns); }

void RunFiles::record(std::span<const double> row) {
  for (const auto& trajectory : parts_->files->trajectories) trajectory->record(row);
  parts_->files->report.record(row);
}

void RunFiles::step(const RunProgress& progress) { parts_->files->report.step(progress); }

void RunFiles::commit(const Record& record, std::string_view page) {
  const std::string run = run_json(record, parts_->formats);
  for (const auto& trajectory : parts_->files->trajectories) trajectory->finish(run);
  std::vector<std::pair<const char*, std::string>> texts;
  if (!page.empty())
    texts.emplace_back("report.html", parts_->files->report.html(head_of(record), *record.graph, page));
  texts.emplace_back("run.json", run);
  parts_->made.replace(texts, [&] {
    for (const auto& trajectory : parts_->files->trajectories) trajectory->put_in_place();
  });
}

bool RunFiles::replaced() const { return parts_->made.replaces(); }

}  // namespace ulna
