// A design sweep in chunks, in a folder: arms that are computed together, by whichever process, and kept as one file (a
// shard), until all are collected into sweep.csv, select.json and report.html.
//
// All files are the same bytes for any number of processes and threads, and after any interruption. doc/cluster.md.
#pragma once

#include "ulna/io/results/chunk.hpp"
#include "ulna/study/communicator.hpp"
#include "ulna/study/select/design_summary.hpp"

namespace ulna::selection {

struct DesignPlanOptions {
  std::size_t chunk = 0;  // arms in a chunk; 0: chosen from the sweep
  int threads = 0;        // 0: as many as the machine has
};

struct ChunkedDesignOptions;
struct ChunkedDesign;

class DesignPlan {
 public:
  /// `folder`: for the results.
  DesignPlan(std::shared_ptr<const DesignSweep> sweep, std::string folder, const DesignPlanOptions& options = {});
  ~DesignPlan();
  DesignPlan(const DesignPlan&) = delete;
  DesignPlan& operator=(const DesignPlan&) = delete;

  const DesignSweep& sweep() const;
  std::size_t chunk_size() const;
  std::size_t chunks() const;
  Chunk chunk(std::size_t index) const;
  const std::string& folder() const;

  /// Makes the folder and holds it against others, or with `resume` goes on with the shards that are there. One process
  /// of all does it, before any chunk. Throws InputError.
  void begin(bool resume);
  /// Whether begin() found an earlier result, which collect() replaces.
  bool replaces() const;
  /// For the others: what was begun must be this sweep.
  void join() const;

  /// Whether the chunk's shard is there and whole, by its checksum.
  bool is_done(std::size_t index) const;
  /// Computes the arms of the chunk and puts its shard in place. False: `proceed` ended it, and nothing is left.
  bool run(std::size_t index, const std::function<bool()>& proceed = {});

  /// The files of the result, from the shards, which go; by the process that began. `thorough`: compare the checksums
  /// of all shards first. Throws InputError if a shard is missing.
  DesignSummary collect(bool thorough = true);

 private:
  struct Parts;
  friend ChunkedDesign run_design(std::shared_ptr<const DesignSweep> sweep, const ChunkedDesignOptions& options,
                                  Communicator& ranks);
  std::unique_ptr<Parts> parts_;
};

/// Whether a folder holds shards of a design sweep that is not collected yet.
bool has_open_design(const std::string& folder);

struct DesignProgress {
  std::size_t finished = 0, arms = 0;
  std::size_t recalled = 0;  // of the finished ones: they were there before
  double wall = 0.0;         // seconds
};

struct ChunkedDesignOptions {
  std::string folder{};
  bool resume = false;
  DesignPlanOptions plan{};  // threads 0: a share of the cores of each machine
  /// Asked now and then on every rank, with what all of them have done; false ends the work on all.
  std::function<bool(const DesignProgress&)> proceed{};
};

struct ChunkedDesign {
  bool interrupted = false;  // `summary` is empty, and the finished chunks are there to be resumed
  bool replaced = false;     // an earlier result
  std::size_t finished = 0;  // arms
  double wall = 0.0;         // seconds
  DesignSummary summary{};   // of the first rank
};

/// Computes a design sweep in chunks, which the ranks take as they become free; the first collects them. All ranks call
/// it together; an error of one ends the work on all, as in all_succeed().
ChunkedDesign run_design(std::shared_ptr<const DesignSweep> sweep, const ChunkedDesignOptions& options,
                         Communicator& ranks);

/// The text of select.json.
std::string design_json(const DesignSweep& sweep, const DesignSummary& summary);

}  // namespace ulna::selection
