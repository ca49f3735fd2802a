// report.html: the page of web/ with the data of one run or one sweep; the studio shows the same data. web/README.md
// has the contract.
#pragma once

#include "ulna/model/graph.hpp"
#include "ulna/simulate/simulation.hpp"
#include "ulna/simulate/thinned.hpp"

namespace ulna {

/// What the report says in words.
struct ReportHead {
  using Rows = std::vector<std::pair<std::string, std::string>>;

  std::string title, subtitle;
  Rows facts, statistics;
  bool ok = true;
  std::string status;
  std::vector<std::string> warnings;
  std::vector<RunEvent> events;
  std::string energy_balance;  // empty where energy is not at issue
  std::string scenario;        // the text that repeats it
};

/// What the report keeps of a run, in bounded memory.
class ReportData final : public Recorder {
 public:
  ReportData(const Model& model, std::vector<Column> columns);

  void record(std::span<const double> row) override;
  void step(const RunProgress& progress) override;
  /// What the page holds: web/README.md.
  std::string data_json(const ReportHead& head, const Graph& graph) const;
  /// The whole page.
  std::string html(const ReportHead& head, const Graph& graph, std::string_view page) const;

 private:
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
