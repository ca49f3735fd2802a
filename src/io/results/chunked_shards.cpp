#include "chunked_shards.hpp"

#include <fmt/format.h>

#include "base/fnv.hpp"
#include "hdf5_file.hpp"
#include "ulna/base/error.hpp"

namespace ulna {

Chunk ChunkCut::at(std::size_t index) const {
  if (index >= count()) throw std::out_of_range(fmt::format("there are {} chunks, and none {}", count(), index));
  return {index, index * size, std::min(size, items - index * size)};
}

std::size_t UsualChunks::size(std::size_t items, std::size_t bytes_per_item) const {
  constexpr std::size_t most_chunks = 16384, most_bytes = 64 << 20;
  const auto parts = [&](std::size_t count) { return (items + count - 1) / count; };
  const std::size_t wanted = std::clamp(parts(usual_chunks), fewest, std::max(most, parts(most_chunks)));
  return std::clamp<std::size_t>(most_bytes / std::max<std::size_t>(1, bytes_per_item), 1, wanted);
}

ChunkedShards::ChunkedShards(std::string folder, const ShardKind& kind, const ChunkCut& cut, StudyIdentity identity,
                             std::string method)
    : folder_(std::move(folder)),
      shards_(folder_, kind),
      cut_(cut),
      title_(fmt::format("Ulna {} in chunks", kind.work)),
      parts_(std::move(identity)),
      method_(std::move(method)) {
  parts_.emplace_back("size of chunks", fmt::format("{}", cut_.size));
  head_ = packed_identity(title_, parts_, method_);
  identity_ = fnv1a(head_);
}

void ChunkedShards::expect_head(const std::string& there) const {
  expect_method(expect_identity(there, title_, parts_, shards_.head_path(), shards_.kind().work), method_,
                shards_.head_path());
}

void ChunkedShards::begin(bool resume) {
  made_.emplace(folder_, shards_.kind().result);
  const std::optional<std::string> there = shards_.read_head();
  const Source source{shards_.path(), 0};
  if (resume && !there)
    throw InputError(source, "no shards: there is nothing to resume here; work in chunks leaves them");
  if (there && !resume)
    throw InputError(source, fmt::format("holds finished chunks of the {}; resume it, or delete it to begin anew",
                                         shards_.kind().work));
  if (there) expect_head(*there);
  if (made_->replaces() && shards_.has_volumes())
    throw InputError(source, "is of a finished ensemble: there is nothing to resume here");
  shards_.remove_leftovers();
  if (!there) shards_.write_head(head_);
}

const OutputFolder& ChunkedShards::begun() const {
  if (!made_) throw std::invalid_argument("collect() is for the process that called begin()");
  return *made_;
}

void ChunkedShards::join() const {
  const std::optional<std::string> there = shards_.read_head();
  if (!there)
    throw InputError(Source{shards_.head_path(), 0}, "cannot be read; the folder must be one that all machines see");
  expect_head(*there);
}

bool ChunkedShards::holds(std::size_t index, bool thorough) const {
  return shards_.holds(cut_.at(index).index, identity_, thorough);
}

void ChunkedShards::write(std::size_t index, const std::function<void(const Hdf5File&)>& fill) const {
  shards_.write(index, identity_, fill);
}

void ChunkedShards::expect_none_missing(std::size_t missing) const {
  if (missing == 0) return;
  throw InputError(
      Source{shards_.path(), 0},
      fmt::format("{} of {} chunks are missing or damaged; resume, and they are computed", missing, cut_.count()));
}

}  // namespace ulna
