// The run that the page shows: its samples as they are and as the page of a report keeps them, and how it ended.
#pragma once

#include <optional>

#include "io/report/html_report.hpp"
#include "ulna/study/run.hpp"

namespace ulna::studio {

struct LastRun final : Recorder {
  explicit LastRun(std::shared_ptr<const Model> of) : model(std::move(of)) {}
  void begin(std::span<const Column> columns) override;
  void record(std::span<const double> row) override;
  void step(const RunProgress& progress) override { report->step(progress); }

  std::shared_ptr<const Model> model;
  Trajectory trajectory;
  std::optional<ReportData> report;
  Record result;
};

}  // namespace ulna::studio
