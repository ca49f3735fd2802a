// The runs of an ensemble in the shards of its chunks.
#pragma once

#include <algorithm>

#include "io/results/ensemble_hdf5.hpp"
#include "io/results/shard_folder.hpp"
#include "ulna/base/error.hpp"
#include "ulna/io/results/ensemble_plan.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

/// Readers of virtual datasets hold all files open that they come by, and see NaN where they may not open more: usual
/// limits are 1024.
inline constexpr std::size_t most_virtual_shards = 500;

/// How runs are cut into chunks.
struct ChunkCut {
  std::size_t runs = 0, size = 1;

  std::size_t count() const { return (runs + size - 1) / size; }
  EnsembleChunk at(std::size_t index) const { return {index, index * size, std::min(size, runs - index * size)}; }
  /// Of the chunks from `begin` up to `end`.
  std::size_t runs_of(std::size_t begin, std::size_t end) const {
    return at(end - 1).first + at(end - 1).count - at(begin).first;
  }
  /// Shards in each file that ensemble.h5 refers to: several where there are too many for its readers.
  std::size_t per_volume() const { return (count() + most_virtual_shards - 1) / most_virtual_shards; }
};

/// Every `step`th shard from `first` on, up to `end`. What cannot be read ends the pass, and is told
/// later, so that ranks which sum over all of them do not wait for one that gave up.
class RunsInShards final : public EnsembleRuns {
 public:
  RunsInShards(const ChunkCut& cut, const ShardFolder& shards, const PreparedEnsemble& prepared,
               const EnsembleResult& frame, std::size_t first, std::size_t step, std::size_t end)
      : cut_(cut), shards_(shards), prepared_(prepared), frame_(frame), first_(first), step_(step), end_(end) {}

  void visit(const RunParts& parts, const std::function<void(const RunBlock&)>& see) const override {
    const std::size_t columns = frame_.columns.size();
    for (std::size_t i = first_; i < end_ && failed_.empty(); i += step_) {
      const EnsembleChunk chunk = cut_.at(i);
      const std::string path = shards_.path_of_shard(i);
      const Hdf5Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
      if (!file.good() || !read_shard(file.get(), prepared_, frame_, chunk.count, parts, runs_, samples_)) {
        failed_ = path;
        return;
      }
      see({chunk.first, chunk.count, runs_, samples_.data(), parts.times.count * columns, columns});
    }
  }
  /// The path of a shard that could not be read; empty: none.
  const std::string& failed() const { return failed_; }
  void expect_good() const {
    if (!failed_.empty()) throw InputError(Source{failed_, 0}, "cannot be read; resume, and it is computed again");
  }

 private:
  const ChunkCut& cut_;
  const ShardFolder& shards_;
  const PreparedEnsemble& prepared_;
  const EnsembleResult& frame_;
  std::size_t first_, step_, end_;
  mutable std::string failed_;
  mutable std::vector<EnsembleRunResult> runs_;
  mutable std::vector<double> samples_;
};

}  // namespace ulna
#pragma GCC visibility pop
