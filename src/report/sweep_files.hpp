// The folder that a sweep through a mechanism's range leaves: table.csv and report.html.
#pragma once

#include "html_report.hpp"
#include "output_folder.hpp"
#include "trajectory_csv.hpp"

namespace ulna {

class SweepFiles final : public Recorder {
 public:
  /// Creates the folder. Throws InputError if it cannot be written.
  SweepFiles(const std::string& folder, const ClosedModel& model)
      : made_(folder),
        folder_(folder + "/"),
        csv_(folder_ + "table.csv", sweep_columns(model)),
        report_(model, sweep_columns(model)) {}

  void record(std::span<const double> row) override {
    csv_.record(row);
    report_.record(row);
  }
  /// Puts both in place; `page` is the template of the report, empty for no report.
  void commit(const ReportHead& head, const Graph& graph, std::string_view page) {
    if (!page.empty()) write_file(folder_ + "report.html", report_.html(head, graph, page));
    csv_.commit();  // last: where it is, the rest is
  }

 private:
  OutputFolder made_;  // first: it outlives the files in it
  std::string folder_;
  TrajectoryCsv csv_;
  ReportData report_;
};

}  // namespace ulna
