// The folder that a run leaves: trajectory.csv, other formats that are asked for, run.json, report.html.
// Each appears whole or not at all.
#pragma once

#include <memory>
#include <string>

#include "ulna/io/results/trajectory_format.hpp"
#include "ulna/study/run.hpp"

namespace ulna {

/// As robot_hash(), for the tables that a scenario reads; empty where it reads none.
std::string tables_hash(const Scenario& scenario);

/// The formats that are always written, and those of these names. Throws InputError for a name that there is not.
std::vector<const TrajectoryFormat*> formats_of(std::span<const std::string> also);

/// run.json.
std::string run_json(const Record& record, std::span<const TrajectoryFormat* const> formats);

/// Opens the files, takes a run's samples and steps, and puts everything in place.
class RunFiles final : public Recorder {
 public:
  /// Creates the folder. Throws InputError if it cannot be written. The model must live as long.
  RunFiles(const std::string& folder, const Model& model, std::vector<const TrajectoryFormat*> formats);
  ~RunFiles() override;

  void begin(std::span<const Column> columns) override;
  void record(std::span<const double> row) override;
  void step(const RunProgress& progress) override;
  /// Puts all files in place; `page` is the template of the report, empty for no report.
  void commit(const Record& record, std::string_view page);
  /// Whether commit() takes the place of an earlier result.
  bool replaced() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace ulna
