// report.html: the page of web/ with the data of one run. web/README.md has the contract.
#pragma once

#include "run_files.hpp"
#include "thinned.hpp"

namespace ulna {

/// What the report keeps of a run, in bounded memory.
class ReportData final : public Recorder {
 public:
  ReportData(const Model& model, std::vector<Column> columns);

  void record(std::span<const double> row) override;
  void step(const RunProgress& progress);
  /// The whole page.
  std::string html(const RunRecord& record, std::string_view page) const;

 private:
  std::string data_json(const RunRecord& record) const;
  /// Indices of the columns of a driven joint's position and of its reference.
  struct Followed {
    std::size_t position, reference;
  };

  const Model& model_;
  std::vector<Column> columns_;  // of the trajectory, then the distances from the reference
  std::vector<Followed> followed_;
  Thinned<double> samples_, steps_;
  std::vector<double> row_;
};

}  // namespace ulna
