// The folder in which the chunks of an ensemble or a design sweep are kept, each in a file of its own that appears
// whole.
//
// A shard is an HDF5 file with a row per run or arm in its datasets. Its user block says what it belongs to and has
// a checksum of the rest: one that was damaged or is of other work is found, and computed again. Folder and files
// must be this user's own; links are not followed.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "result_kind.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

class Hdf5File;

class ShardFolder {
 public:
  /// `folder` is the one of the results.
  ShardFolder(const std::string& folder, const ShardKind& kind);

  const ShardKind& kind() const { return kind_; }

  const std::string& path() const { return path_; }
  /// The file that says what the shards belong to.
  std::string head_path() const { return path_ + "/plan"; }
  /// What is in it; none: there is no such file, or it is not whole. Throws InputError if the folder is another user's.
  std::optional<std::string> read_head() const;
  /// Makes the folder if need be.
  void write_head(const std::string& head) const;
  /// What killed processes left; for the one process that begins.
  void remove_leftovers() const;
  /// Head, shards and the folder, unless something else is in it.
  void remove() const;

  /// Whether it holds shards of work that is not finished.
  bool is_open() const;

  /// The name of a shard below the folder of the results, and its path.
  std::string name_of_shard(std::size_t chunk) const;
  std::string path_of_shard(std::size_t chunk) const;
  /// Whether it is there and whole; `thorough`: by its checksum, else by its head and size alone.
  bool holds(std::size_t chunk, std::uint64_t identity, bool thorough) const;
  /// `fill` writes what belongs into the shard.
  void write(std::size_t chunk, std::uint64_t identity, const std::function<void(const Hdf5File&)>& fill) const;

  /// Several shards in one file, where there would be too many for readers.
  std::string name_of_volume(std::size_t volume) const;
  void write_volume(std::size_t volume, const std::function<void(const Hdf5File&)>& fill) const;
  /// Only volumes are left.
  void remove_shards() const;
  bool has_volumes() const;

 private:
  void expect_own() const;

  std::string folder_, path_;
  ShardKind kind_;
};

}  // namespace ulna
#pragma GCC visibility pop
