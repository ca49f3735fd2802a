#include "ulna/export/unfinished_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdio>

namespace ulna {

namespace {

/// Names for the signal handler, which may neither lock nor allocate. Beyond so many at once a file is not known to it.
std::array<std::atomic<const char*>, 64> names{};

void note(const char* name) {
  for (std::atomic<const char*>& slot : names) {
    const char* empty = nullptr;
    if (slot.compare_exchange_strong(empty, name)) return;
  }
}

void forget(const char* name) {
  for (std::atomic<const char*>& slot : names) {
    const char* own = name;
    if (slot.compare_exchange_strong(own, nullptr)) return;
  }
}

}  // namespace

UnfinishedFile::UnfinishedFile(const std::string& place) : place_(place) {
  static std::atomic<unsigned> number{0};  // threads may write the same file at once
  path_ = fmt::format("{}.part{}.{}", place_, ::getpid(), number++);
  note(path_.c_str());
}

UnfinishedFile::~UnfinishedFile() {
  forget(path_.c_str());
  if (!finished_) std::remove(path_.c_str());
}

bool UnfinishedFile::put_in_place() {
  finished_ = std::rename(path_.c_str(), place_.c_str()) == 0;
  return finished_;
}

void remove_unfinished_files() noexcept {
  for (const std::atomic<const char*>& slot : names)
    if (const char* name = slot.load(); name != nullptr) ::unlink(name);
}

}  // namespace ulna
