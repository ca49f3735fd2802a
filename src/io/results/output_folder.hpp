// The folder for results: made with all folders above it, and for one process at a time. Those that stay empty, because
// the work was refused, go again.
#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "shard_folder.hpp"

namespace ulna {

class OutputFolder {
 public:
  /// Throws InputError: it cannot be made, another process is writing into it, or what the results would replace is not
  /// a whole result of Ulna.
  explicit OutputFolder(const std::string& name, ResultKind kind = ResultKind::single);
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  /// Whether an earlier result is there, or was.
  bool replaces() const { return replaces_; }
  using Texts = std::span<const std::pair<const char*, std::string>>;
  /// Puts a whole result in the place of an earlier one: these files by their names, and what `put_others` puts in
  /// place, which must be on the disk already. The last text is the head, and comes last: where it is, the rest is.
  void replace(
      Texts texts, const std::function<void()>& put_others = [] {}) const;

 private:
  void make();
  void lock();
  /// Throws unless all that the results would replace is a whole result.
  void expect_own_results() const;
  void remove_earlier() const;
  /// The places for shards.
  std::array<ShardFolder, 2> kept_shards() const;
  void remove_empty() const;

  std::string name_;
  ResultKind kind_;
  std::vector<std::filesystem::path> made_;  // the deepest first
  int descriptor_ = -1;
  bool replaces_ = false;
};

}  // namespace ulna
