#include "ulna/base/unfinished_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

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

/// Of programs that were killed: the process in the file's name is no more.
void remove_leftovers(const std::filesystem::path& place) {
  const std::string stem = place.filename().string() + ".part";
  std::error_code error;
  const std::filesystem::path folder = place.has_parent_path() ? place.parent_path() : ".";
  std::filesystem::directory_iterator entry(folder, error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with(stem)) continue;
    if (is_gone(std::strtol(name.c_str() + stem.size(), nullptr, 10))) std::remove(entry->path().c_str());
  }
}

/// Where writing to this name ends, though nothing may be there yet.
std::string behind_links(std::filesystem::path path) {
  std::error_code error;
  constexpr int most = 40;  // as the system has it; what leads in a circle then fails to be opened
  for (int k = 0; k < most && std::filesystem::is_symlink(path, error); ++k) {
    const std::filesystem::path next = std::filesystem::read_symlink(path, error);
    if (error) break;
    path = path.parent_path() / next;  // an absolute one stands for itself
  }
  return path.string();
}

}  // namespace

UnfinishedFile::UnfinishedFile(const std::string& place) : place_(behind_links(place)) {
  remove_leftovers(place_);
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

bool is_gone(long process) { return process > 0 && ::kill(static_cast<pid_t>(process), 0) != 0 && errno == ESRCH; }

void remove_unfinished_files() noexcept {
  for (const std::atomic<const char*>& slot : names)
    if (const char* name = slot.load(); name != nullptr) ::unlink(name);
}

}  // namespace ulna
