#include "ulna/io/results/save.hpp"

#include <stdexcept>

#include "ensemble_files.hpp"
#include "loop_files.hpp"
#include "run_files.hpp"
#include "select_files.hpp"
#include "summarise.hpp"
#include "ulna/io/results/page.hpp"

namespace ulna {

namespace {

void expect_samples(const Trajectory& trajectory) {
  if (trajectory.size() == 0)
    throw std::invalid_argument("the record holds no samples: they went to a recorder of the caller's");
}

}  // namespace

void save(const Record& record, const std::string& folder, const SaveOptions& options) {
  const Trajectory& trajectory = record.trajectory;
  expect_samples(trajectory);
  RunFiles files(folder, *record.model, formats_of(options.also));
  files.begin(trajectory.columns());
  for (std::size_t i = 0; i < trajectory.size(); ++i) files.record(trajectory.row(i));
  for (std::size_t i = 0; i < trajectory.steps().size(); ++i)
    files.step({trajectory.steps().at(i, 0), trajectory.steps().at(i, 1), trajectory.steps().at(i, 2),
                record.result.statistics});
  files.commit(record, report_page());
}

void save(const EnsembleRecord& record, const std::string& folder) {
  if (record.prepared == nullptr) throw std::invalid_argument("the record is of no ensemble: run_ensemble() makes one");
  put_in_place(OutputFolder(folder), folder, record, summary_of(record), report_page());
}

void save(const LoopRecord& record, const std::string& folder) {
  expect_samples(record.table);
  LoopFiles files(folder, *record.model);
  for (std::size_t i = 0; i < record.table.size(); ++i) files.record(record.table.row(i));
  files.commit(record, report_page());
}

void save(const selection::SelectRecord& record, const std::string& folder) {
  if (record.comparison.candidates.empty())
    throw std::invalid_argument("the record compares no arms: selection::run() makes one");
  put_in_place(OutputFolder(folder), record, select_json(record));
}

}  // namespace ulna
