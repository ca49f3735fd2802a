#include "ulna/export/atomic_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "ulna/model/finding.hpp"

namespace ulna {

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)) {
  std::error_code error;
  const std::filesystem::path resolved = std::filesystem::weakly_canonical(path_, error);
  if (!error) path_ = resolved.string();
  const std::filesystem::file_status status = std::filesystem::status(path_, error);
  const bool special = std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
  static std::atomic<unsigned> number{0};  // threads may write the same file at once
  if (!special) temporary_ = fmt::format("{}.part{}.{}", path_, ::getpid(), number++);
  file_ = std::fopen((special ? path_ : temporary_).c_str(), "wb");
  if (file_ == nullptr) fail("cannot be written");
}

AtomicFile::~AtomicFile() {
  if (file_ == nullptr) return;
  std::fclose(file_);
  if (!temporary_.empty()) std::remove(temporary_.c_str());
}

void AtomicFile::write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) fail("cannot be written");
}

void AtomicFile::commit() {
  const bool flushed = std::fflush(file_) == 0 && (temporary_.empty() || ::fsync(::fileno(file_)) == 0);
  if (!flushed) fail("cannot be written");
  std::fclose(file_);
  file_ = nullptr;
  if (temporary_.empty()) return;
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) {
    const int reason = errno;
    std::remove(temporary_.c_str());
    errno = reason;
    fail("cannot be put in place");
  }
}

void AtomicFile::fail(const char* what) const {
  throw InputError(Source{path_, 0},
                   fmt::format("{}: {}; check the folder and the free space", what, std::strerror(errno)));
}

void write_file(const std::string& path, std::string_view text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

}  // namespace ulna
