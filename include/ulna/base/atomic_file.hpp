// A file that appears whole or not at all: written beside its place, then renamed. A link is
// followed, and a pipe or a device is written to as it is.
#pragma once

#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

#include "ulna/base/unfinished_file.hpp"

namespace ulna {

class AtomicFile {
 public:
  /// Throws InputError if the folder cannot be written.
  explicit AtomicFile(std::string path);
  ~AtomicFile();  // without commit() nothing is left behind
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view text);
  /// All of it is on the disk, and only the place is missing.
  void finish();
  void put_in_place();
  void commit() {
    finish();
    put_in_place();
  }

 private:
  [[noreturn]] void fail(const char* what) const;

  std::string path_;
  std::optional<UnfinishedFile> unfinished_;  // none for pipes and devices
  std::FILE* file_ = nullptr;
};

/// A whole file at once.
void write_file(const std::string& path, std::string_view text);

}  // namespace ulna
