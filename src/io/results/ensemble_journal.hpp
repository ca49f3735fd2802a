// ensemble.partial: the runs of an ensemble as they end, so that one that was killed goes on with `--resume`.
//
// A head that says what the ensemble is, then one record per run, each with its length and a checksum: a record that
// was cut off in the middle is noticed and dropped. Records reach the system as each run ends, and the disk once a
// second.
#pragma once

#include <map>
#include <string>

#include "io/results/study_identity.hpp"
#include "ulna/batch/ensemble.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

class JournalFile final : public EnsembleJournal {
 public:
  /// Begins a new file, or with `resume` goes on with the one that is there. Throws InputError: there is none, it is of
  /// another ensemble, it cannot be written.
  JournalFile(std::string path, StudyIdentity identity, bool resume);
  ~JournalFile() override;

  void begin(std::string_view method) override;
  bool recall(std::size_t k, EnsembleRunResult& run, std::span<double> samples) override;
  void keep(std::size_t k, const EnsembleRunResult& run, std::span<const double> samples) override;
  /// Nothing is left to resume.
  void remove() const;

 private:
  [[noreturn]] void fail(const std::string& what) const;
  [[noreturn]] void fail_system(const char* what) const;
  void read_head();
  void read_records();
  bool holds_runs() const;
  /// The record at this place, empty if it is not whole.
  std::string read_record(std::int64_t at) const;
  void write_record(const std::string& record);

  std::string path_;
  StudyIdentity identity_;
  std::string method_;  // of what is resumed
  int file_ = -1;
  const bool resumed_;
  std::int64_t end_ = 0;                        // of the last whole record
  std::map<std::size_t, std::int64_t> places_;  // of the records by run
  double synced_ = 0.0;                         // when, on the monotonic clock
};

}  // namespace ulna
#pragma GCC visibility pop
