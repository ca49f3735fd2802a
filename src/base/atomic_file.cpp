#include "ulna/base/atomic_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "ulna/base/error.hpp"

namespace ulna {

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path_, error);
  if (status.type() == std::filesystem::file_type::none) {  // links in a circle, a folder that is closed to us
    errno = error.value();
    fail("cannot be written");
  }
  const bool special = std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
  if (!special) unfinished_.emplace(path_);
  file_ = std::fopen((special ? path_ : unfinished_->path()).c_str(), "wb");
  if (file_ == nullptr) fail("cannot be written");
}

AtomicFile::~AtomicFile() {
  if (file_ != nullptr) std::fclose(file_);
}

void AtomicFile::write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) fail("cannot be written");
}

void AtomicFile::finish() {
  const bool flushed = std::fflush(file_) == 0 && (!unfinished_ || ::fsync(::fileno(file_)) == 0);
  if (!flushed) fail("cannot be written");
  std::fclose(std::exchange(file_, nullptr));
}

void AtomicFile::put_in_place() {
  if (unfinished_ && !unfinished_->put_in_place()) fail("cannot be put in place");
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
