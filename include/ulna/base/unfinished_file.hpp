// A file beside its place until it is whole.
#pragma once

#include <string>

namespace ulna {

/// The name of a file that will be renamed to `place`, or to where the links at that place lead. It is removed unless
/// that happens.
class UnfinishedFile {
 public:
  explicit UnfinishedFile(const std::string& place);
  ~UnfinishedFile();
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;

  const std::string& path() const { return path_; }
  /// False with errno if it cannot be; then it is still unfinished.
  bool put_in_place();

 private:
  std::string place_, path_;
  bool finished_ = false;
};

/// Whether a process that left a name behind has ended.
bool is_gone(long process);

/// Removes all there are; for a signal handler that ends the program.
void remove_unfinished_files() noexcept;

}  // namespace ulna
