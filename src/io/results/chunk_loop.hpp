// Ranks take chunks as they become free, and end together.
#pragma once

#include <functional>

#include "chunked_shards.hpp"
#include "ulna/study/communicator.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

/// How far all ranks together are: runs or arms, those that were there already among them, and seconds.
struct ChunksDone {
  std::size_t finished = 0, recalled = 0;
  double wall = 0.0;
};

struct ChunkLoop {
  ChunkedShards& work;
  bool resume = false;
  /// Computes a chunk and writes its shard, asking `proceed` all the time; false: that ended it, and nothing is left.
  std::function<bool(std::size_t index, const std::function<bool()>& proceed)> run{};
  /// Asked now and then on every rank, with what all of them have done; false ends the work on all.
  std::function<bool(const ChunksDone&)> proceed{};
};

/// Until no chunk is left anywhere, or until the work is ended. The first rank has not begun `work` yet. All ranks call
/// it together; an error of one ends it on all.
ChunksDone take_chunks(const ChunkLoop& loop, Communicator& ranks);

/// Cores that this process may use, shared with the other ranks of its machine unless each has cores of its own.
int share_of_cores(const Communicator& ranks);

}  // namespace ulna
#pragma GCC visibility pop
