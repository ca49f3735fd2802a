// ensemble.h5, and the shards that it may be made of: datasets with a row per run.
#pragma once

#include "io/results/ensemble_runs.hpp"
#include "io/results/hdf5_file.hpp"
#include "ulna/io/results/ensemble_summary.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

/// The whole of it; `run` is run.json. The same bytes however the runs come in blocks.
void write_ensemble(const Hdf5File& file, const EnsembleSummary& summary, const EnsembleRuns& runs,
                    const std::string& run);

/// A file that holds some of the runs.
struct ShardPlace {
  std::string file;  // as ensemble.h5 names it: beside itself
  std::size_t first = 0, count = 0;
};
/// The same to its readers, but the rows are in the shards.
void write_virtual_ensemble(const Hdf5File& file, const EnsembleSummary& summary, std::span<const ShardPlace> shards,
                            const std::string& run);

/// A shard: the rows of `count` runs, as they are.
void write_shard(const Hdf5File& file, const PreparedEnsemble& prepared, const EnsembleResult& frame,
                 const EnsembleRuns& runs, std::size_t count);
/// What was asked for of a shard's runs; false if it cannot be read. `samples` as RunBlock has them.
bool read_shard(hid_t file, const PreparedEnsemble& prepared, const EnsembleResult& frame, std::size_t count,
                const RunParts& parts, std::vector<EnsembleRunResult>& runs, std::vector<double>& samples);

}  // namespace ulna
#pragma GCC visibility pop
