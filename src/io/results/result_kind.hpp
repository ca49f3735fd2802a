// The kinds of results, and where those that come in chunks keep their shards.
#pragma once

#pragma GCC visibility push(hidden)
namespace ulna {

/// Ensembles and design sweeps may find one that was interrupted in their folder, and have a look at it themselves.
enum class ResultKind { single, ensemble, ensemble_chunks, design_chunks };

/// Whose shards they are.
struct ShardKind {
  ResultKind result;
  const char* folder;  // below that of the results
  const char* head;    // the file that is there when all is done
  const char* work;
};
inline constexpr ShardKind ensemble_shards{ResultKind::ensemble_chunks, "ensemble.shards", "run.json", "ensemble"};
inline constexpr ShardKind design_shards{ResultKind::design_chunks, "sweep.shards", "select.json", "design sweep"};

}  // namespace ulna
#pragma GCC visibility pop
