// The folder that an ensemble leaves: ensemble.h5, run.json, report.html. Each appears whole or not at all;
// ensemble.partial is there until all runs are done.
#pragma once

#include "io/results/bands.hpp"
#include "io/results/ensemble_journal.hpp"
#include "io/results/output_folder.hpp"
#include "ulna/study/ensemble.hpp"

namespace ulna {

class Hdf5File;

/// Changes whenever something in ensemble.h5 is renamed or means something else.
inline constexpr int ensemble_schema = 1;

/// run.json.
std::string ensemble_json(const EnsembleRecord& record);
void write_ensemble(Hdf5File& file, const EnsembleRecord& record, const std::string& run);
/// The page with the ensemble's bands.
std::string ensemble_html(const EnsembleRecord& record, std::string_view page);

/// ensemble.h5, run.json and report.html in place; `page` is the template of the report, empty for no report.
void put_in_place(const OutputFolder& made, const std::string& folder, const EnsembleRecord& record,
                  std::string_view page);

class EnsembleFiles {
 public:
  /// Creates the folder and the journal, or goes on with the one that is there. Throws InputError if that cannot be.
  EnsembleFiles(const std::string& folder, EnsembleIdentity identity, bool resume);
  EnsembleJournal& journal() { return journal_; }
  /// Puts all files in place; `page` is the template of the report, empty for no report. The journal goes, unless there
  /// are runs left to do.
  void commit(const EnsembleRecord& record, std::string_view page);
  /// Whether commit() takes the place of an earlier result.
  bool replaced() const { return made_.replaces(); }

 private:
  OutputFolder made_;  // first: it outlives the files in it
  std::string folder_;
  JournalFile journal_;
};

}  // namespace ulna
