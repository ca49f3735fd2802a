// The folder that a sweep through a mechanism's range leaves: table.csv, report.html and loop.json.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "io/report/html_report.hpp"
#include "output_folder.hpp"
#include "trajectory_csv.hpp"
#include "ulna/study/loop_sweep.hpp"

namespace ulna {

/// What loop.json says.
nlohmann::ordered_json loop_json(const LoopRecord& record, const std::string& folder);

class LoopFiles final : public Recorder {
 public:
  /// Creates the folder. Throws InputError if it cannot be written.
  LoopFiles(const std::string& folder, const Model& model);

  void record(std::span<const double> row) override;
  /// Puts all in place; `page` is the template of the report, empty for no report.
  void commit(const LoopRecord& record, std::string_view page);
  /// Whether commit() takes the place of an earlier result.
  bool replaced() const { return made_.replaces(); }

 private:
  OutputFolder made_;  // first: it outlives the files in it
  std::string folder_;
  TrajectoryCsv csv_;
  ReportData report_;
};

}  // namespace ulna
