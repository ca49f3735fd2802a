// The folder that a sweep through a mechanism's range leaves: table.csv, report.html and loop.json.
#pragma once

#include "html_report.hpp"
#include "output_folder.hpp"
#include "trajectory_csv.hpp"

namespace ulna {

class SweepFiles final : public Recorder {
 public:
  /// Creates the folder. Throws InputError if it cannot be written.
  SweepFiles(const std::string& folder, const Model& model)
      : made_(folder),
        folder_(folder + "/"),
        csv_(folder_ + "table.csv", sweep_columns(model)),
        report_(model, sweep_columns(model)) {}

  void record(std::span<const double> row) override {
    csv_.record(row);
    report_.record(row);
  }
  /// Puts all in place; `page` is the template of the report, empty for no report, `json` the text of loop.json.
  void commit(const ReportHead& head, const Graph& graph, std::string_view page, const std::string& json) {
    csv_.finish();
    std::vector<std::pair<const char*, std::string>> texts;
    if (!page.empty()) texts.emplace_back("report.html", report_.html(head, graph, page));
    texts.emplace_back("loop.json", json);
    made_.replace(texts, [&] { csv_.put_in_place(); });
  }
  /// Whether commit() takes the place of an earlier result.
  bool replaced() const { return made_.replaces(); }

 private:
  OutputFolder made_;  // first: it outlives the files in it
  std::string folder_;
  TrajectoryCsv csv_;
  ReportData report_;
};

}  // namespace ulna
