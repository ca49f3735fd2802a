// The runs of an ensemble, in memory or in files, a block after the other: what writes and sums them up need not know.
#pragma once

#include <functional>

#include "ulna/batch/ensemble.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

/// Every so many of the samples' times, so many of them.
struct TimeSlice {
  std::size_t first = 0, stride = 1, count = 0;
};

/// What a pass needs of every run; less is read faster.
struct RunParts {
  bool ends = false;  // all but the samples
  TimeSlice times{};  // of the samples
};

struct RunBlock {
  std::size_t first = 0, count = 0;           // runs
  std::span<const EnsembleRunResult> runs{};  // empty unless ends were asked for
  const double* samples = nullptr;
  std::size_t run_step = 0, time_step = 0;  // in `samples`, from one to the next

  /// The kept columns of a run of the block at one of the times that were asked for.
  const double* sample(std::size_t run, std::size_t time) const { return samples + run * run_step + time * time_step; }
};

class EnsembleRuns {
 public:
  EnsembleRuns() = default;
  virtual ~EnsembleRuns() = default;
  EnsembleRuns(const EnsembleRuns&) = delete;
  EnsembleRuns& operator=(const EnsembleRuns&) = delete;

  /// Blocks in the order of runs: all, or this rank's share of them.
  virtual void visit(const RunParts& parts, const std::function<void(const RunBlock&)>& see) const = 0;
  /// A pass costs nothing.
  virtual bool in_memory() const { return false; }
};

class RunsInMemory final : public EnsembleRuns {
 public:
  explicit RunsInMemory(const EnsembleResult& result, std::size_t first = 0) : result_(result), first_(first) {}

  void visit(const RunParts& parts, const std::function<void(const RunBlock&)>& see) const override {
    const std::size_t columns = result_.columns.size();
    see({first_, result_.runs.size(), result_.runs, result_.samples.data() + parts.times.first * columns,
         result_.times.size() * columns, parts.times.stride * columns});
  }
  bool in_memory() const override { return true; }

 private:
  const EnsembleResult& result_;
  std::size_t first_;
};

}  // namespace ulna
#pragma GCC visibility pop
