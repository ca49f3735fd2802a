// An ensemble in chunks: runs that are computed together, by whichever process, and kept as one file (a shard).
//
// What is in a shard depends on the ensemble and the chunk's number alone, and how runs are cut into chunks on the
// ensemble alone: the files are the same bytes for any number of processes and threads, and after any interruption.
// Memory depends on the size of a chunk and not on the number of runs. doc/cluster.md.
#pragma once

#include "ulna/io/results/chunk.hpp"
#include "ulna/io/results/ensemble_summary.hpp"
#include "ulna/study/communicator.hpp"

namespace ulna {

struct PlanOptions {
  std::size_t chunk = 0;  // runs in a chunk; 0: chosen from the ensemble
  bool compiled = false;  // as in EnsembleOptions
  int threads = 0;
};

struct CollectOptions {
  bool merge = false;    // ensemble.h5 holds all runs, and the shards go; else it refers to them
  bool thorough = true;  // compare the checksums of all shards first
  double wall = 0.0;     // seconds that the runs took, for the report
  std::function<bool()> proceed{};
};

struct ChunkedOptions;
struct ChunkedEnsemble;

class EnsemblePlan {
 public:
  /// `folder`: for the results. Throws InputError for what cannot be run at all.
  EnsemblePlan(std::shared_ptr<const PreparedEnsemble> prepared, std::string folder, const PlanOptions& options = {});
  ~EnsemblePlan();
  EnsemblePlan(const EnsemblePlan&) = delete;
  EnsemblePlan& operator=(const EnsemblePlan&) = delete;

  std::size_t runs() const;
  std::size_t chunk_size() const;
  std::size_t chunks() const;
  Chunk chunk(std::size_t index) const;
  const std::string& folder() const;

  /// Makes the folder and holds it against others, or with `resume` goes on with the shards that are there. One process
  /// of all does it, before any chunk. Throws InputError as run_ensemble() in a folder does.
  void begin(bool resume);
  /// Whether begin() found an earlier result, which collect() replaces.
  bool replaces() const;
  /// For the others: what was begun must be this ensemble.
  void join() const;

  /// Whether the chunk's shard is there and whole, by its checksum.
  bool is_done(std::size_t index) const;
  /// Computes the runs of the chunk and puts its shard in place. False: `proceed` ended it, and nothing is left.
  bool run(std::size_t index, const std::function<bool(const EnsembleProgress&)>& proceed = {});

  /// ensemble.h5, run.json and report.html from the shards; by the process that began, or by all ranks together, of
  /// which the first did. Throws InputError if a shard is missing.
  EnsembleSummary collect(const CollectOptions& options = {});
  EnsembleSummary collect(const CollectOptions& options, Communicator& ranks);

 private:
  friend ChunkedEnsemble run_ensemble(std::shared_ptr<const PreparedEnsemble> prepared, const ChunkedOptions& options,
                                      Communicator& ranks);
  EnsembleSummary collect_together(const CollectOptions& options, Communicator& ranks);

  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// Whether a folder holds shards of an ensemble that is not collected yet.
bool has_open_shards(const std::string& folder);

struct ChunkedOptions {
  std::string folder{};
  bool resume = false, merge = false;
  PlanOptions plan{};  // threads 0: a share of the cores of each machine
  /// Asked now and then on every rank, with what all of them have done; false ends the work on all.
  std::function<bool(const EnsembleProgress&)> proceed{};
};

struct ChunkedEnsemble {
  bool interrupted = false;  // `summary` is empty, and the finished chunks are there to be resumed
  bool replaced = false;     // an earlier result
  std::size_t finished = 0;  // runs
  EnsembleSummary summary{};
};

/// Runs an ensemble in chunks, which the ranks take as they become free, and collects it. All ranks call it together,
/// and all get the same; an error of one ends the work on all, as in all_succeed().
ChunkedEnsemble run_ensemble(std::shared_ptr<const PreparedEnsemble> prepared, const ChunkedOptions& options,
                             Communicator& ranks);

}  // namespace ulna
