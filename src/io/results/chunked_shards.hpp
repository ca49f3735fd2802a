// Work that is cut into chunks, and their shards: what they belong to, and who may go on with them.
#pragma once

#include <algorithm>
#include <optional>

#include "output_folder.hpp"
#include "study_identity.hpp"
#include "ulna/io/results/chunk.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

/// How runs or arms are cut into chunks.
struct ChunkCut {
  std::size_t items = 0, size = 1;

  std::size_t count() const { return (items + size - 1) / size; }
  /// Throws std::out_of_range.
  Chunk at(std::size_t index) const;
  /// Of the chunks from `begin` up to `end`.
  std::size_t items_of(std::size_t begin, std::size_t end) const {
    return at(end - 1).first + at(end - 1).count - at(begin).first;
  }
};

/// What makes enough chunks for many ranks (`usual_chunks`), each long enough to be worth a file (`fewest`) and small
/// enough for memory.
struct UsualChunks {
  std::size_t usual_chunks, fewest, most;
  std::size_t size(std::size_t items, std::size_t bytes_per_item) const;
};

class ChunkedShards {
 public:
  /// `identity`: all that the work depends on, but for the size of chunks; `method`: how it is computed.
  ChunkedShards(std::string folder, const ShardKind& kind, const ChunkCut& cut, StudyIdentity identity,
                std::string method);

  const std::string& folder() const { return folder_; }
  const ShardFolder& shards() const { return shards_; }
  const ChunkCut& cut() const { return cut_; }

  /// Makes the folder and holds it against others, or with `resume` goes on with the shards that are there. One process
  /// of all does it. Throws InputError.
  void begin(bool resume);
  /// That of the process that began. Throws std::invalid_argument in others.
  const OutputFolder& begun() const;
  /// Whether begin() found an earlier result.
  bool replaces() const { return made_ && made_->replaces(); }
  /// For the others: what was begun must be this work. Throws InputError.
  void join() const;

  /// Whether the chunk's shard is there and whole; `thorough`: by its checksum.
  bool holds(std::size_t index, bool thorough) const;
  void write(std::size_t index, const std::function<void(const Hdf5File&)>& fill) const;
  /// Throws InputError if so many are missing.
  void expect_none_missing(std::size_t missing) const;

 private:
  void expect_head(const std::string& there) const;

  std::string folder_;
  ShardFolder shards_;
  ChunkCut cut_;
  std::string title_;
  StudyIdentity parts_;
  std::string method_, head_;
  std::uint64_t identity_;
  std::optional<OutputFolder> made_;  // of the process that began
};

}  // namespace ulna
#pragma GCC visibility pop
