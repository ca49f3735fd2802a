// The runs of an ensemble in the shards of its chunks.
#pragma once

#include "io/results/chunked_shards.hpp"
#include "io/results/ensemble_hdf5.hpp"
#include "ulna/base/error.hpp"
#include "ulna/io/results/ensemble_plan.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

/// Readers of virtual datasets hold all files open that they come by, and see NaN where they may not open more: usual
/// limits are 1024.
inline constexpr std::size_t most_virtual_shards = 500;

/// Shards in each file that ensemble.h5 refers to: several where there are too many for its readers.
inline std::size_t shards_per_volume(const ChunkCut& cut) {
  return (cut.count() + most_virtual_shards - 1) / most_virtual_shards;
}

/// Every `step`th shard from `first` on, up to `end`. visit() throws InputError for one that cannot be read.
class RunsInShards final : public EnsembleRuns {
 public:
  RunsInShards(const ChunkCut& cut, const ShardFolder& shards, const PreparedEnsemble& prepared,
               const EnsembleResult& frame, std::size_t first, std::size_t step, std::size_t end)
      : cut_(cut), shards_(shards), prepared_(prepared), frame_(frame), first_(first), step_(step), end_(end) {}

  void visit(const RunParts& parts, const std::function<void(const RunBlock&)>& see) const override {
    const std::size_t columns = frame_.columns.size();
    for (std::size_t i = first_; i < end_; i += step_) {
      const Chunk chunk = cut_.at(i);
      const std::string path = shards_.path_of_shard(i);
      const Hdf5Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
      if (!file.good() || !read_shard(file.get(), prepared_, frame_, chunk.count, parts, runs_, samples_))
        throw InputError(Source{path, 0}, "cannot be read; resume, and it is computed again");
      see({chunk.first, chunk.count, runs_, samples_.data(), parts.times.count * columns, columns});
    }
  }

 private:
  const ChunkCut& cut_;
  const ShardFolder& shards_;
  const PreparedEnsemble& prepared_;
  const EnsembleResult& frame_;
  std::size_t first_, step_, end_;
  mutable std::vector<EnsembleRunResult> runs_;
  mutable std::vector<double> samples_;
};

}  // namespace ulna
#pragma GCC visibility pop
