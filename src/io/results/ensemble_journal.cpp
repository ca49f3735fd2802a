#include "ensemble_journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "base/fnv.hpp"
#include "base/packed_bytes.hpp"
#include "ulna/base/error.hpp"

namespace ulna {

namespace {

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

constexpr const char* journal_title = "Ulna ensemble";

}  // namespace

JournalFile::JournalFile(std::string path, StudyIdentity identity, bool resume)
    : path_(std::move(path)), identity_(std::move(identity)), resumed_(resume) {
  file_ = ::open(path_.c_str(), O_RDWR | O_CLOEXEC | (resume ? 0 : O_CREAT), 0666);
  if (file_ < 0 && resume && errno == ENOENT)
    fail("no such file: there is nothing to resume here; a finished ensemble leaves none");
  if (file_ < 0) fail_system("cannot be written");
  try {
    if (resume) {
      read_head();
      read_records();
    } else if (holds_runs()) {
      fail("holds finished runs of an ensemble that was interrupted; resume it, or delete it to begin anew");
    }
  } catch (...) {
    ::close(file_);
    throw;
  }
}

JournalFile::~JournalFile() {
  if (::lseek(file_, 0, SEEK_END) == 0) remove();  // nothing was begun
  ::close(file_);
}

void JournalFile::fail(const std::string& what) const { throw InputError(Source{path_, 0}, what); }

void JournalFile::fail_system(const char* what) const {
  fail(fmt::format("{}: {}; check the folder and the free space", what, std::strerror(errno)));
}

void JournalFile::begin(std::string_view method) {
  if (resumed_) return expect_method(method_, method, path_);
  if (::ftruncate(file_, 0) != 0) fail_system("cannot be written");  // of an earlier ensemble
  write_record(packed_identity(journal_title, identity_, method));
}

bool JournalFile::holds_runs() const {
  const std::string head = read_record(0);
  return !head.empty() && !read_record(static_cast<std::int64_t>(head.size() + 2 * sizeof(std::uint64_t))).empty();
}

/// Compares what is there with what is wanted, and keeps the method for begin().
void JournalFile::read_head() {
  const std::string record = read_record(0);
  if (record.empty()) fail("holds nothing that could be resumed; delete it to begin anew");
  method_ = expect_identity(record, journal_title, identity_, path_);
  end_ = static_cast<std::int64_t>(record.size() + 2 * sizeof(std::uint64_t));
}

void JournalFile::read_records() {
  for (std::string record = read_record(end_); !record.empty(); record = read_record(end_)) {
    places_[Unpacker(record).number<std::uint64_t>()] = end_;
    end_ += static_cast<std::int64_t>(record.size() + 2 * sizeof(std::uint64_t));
  }
  if (::ftruncate(file_, end_) != 0) fail_system("cannot be written");  // what was cut off
}

std::string JournalFile::read_record(std::int64_t at) const {
  const auto read = [&](void* place, std::size_t size, std::int64_t from) {
    return ::pread(file_, place, size, from) == static_cast<ssize_t>(size);
  };
  std::uint64_t length = 0, checksum = 0;
  const std::int64_t left = ::lseek(file_, 0, SEEK_END) - at - static_cast<std::int64_t>(2 * sizeof length);
  if (left <= 0 || !read(&length, sizeof length, at) || length == 0 || length > static_cast<std::uint64_t>(left))
    return {};
  std::string record(length, '\0');
  const std::int64_t first = at + static_cast<std::int64_t>(sizeof length);
  if (!read(record.data(), length, first)) return {};
  if (!read(&checksum, sizeof checksum, first + static_cast<std::int64_t>(length))) return {};
  return fnv1a(record) == checksum ? record : std::string();
}

void JournalFile::write_record(const std::string& record) {
  Packer packer;
  packer.text(record);
  packer.number(fnv1a(record));
  const std::string bytes = packer.take();
  for (std::size_t written = 0; written < bytes.size();) {
    const ssize_t count =
        ::pwrite(file_, bytes.data() + written, bytes.size() - written, end_ + static_cast<std::int64_t>(written));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) fail_system("cannot be written");
    written += static_cast<std::size_t>(count);
  }
  end_ += static_cast<std::int64_t>(bytes.size());
  if (seconds_now() < synced_ + 1.0) return;
  if (::fdatasync(file_) != 0) fail_system("cannot be written");
  synced_ = seconds_now();
}

bool JournalFile::recall(std::size_t k, EnsembleRunResult& run, std::span<double> samples) {
  const auto place = places_.find(k);
  if (place == places_.end()) return false;
  const std::string record = read_record(place->second);
  Unpacker from(record);
  from.number<std::uint64_t>();  // k
  run.status = static_cast<RunStatus>(from.number<std::uint64_t>());
  run.time = from.number<double>();
  run.steps = from.number<std::int64_t>();
  run.rejected = from.number<std::int64_t>();
  run.energy = from.number<double>();
  run.q = from.numbers();
  run.v = from.numbers();
  run.reason = from.text();
  const std::vector<double> kept = from.numbers();
  if (kept.size() != samples.size()) fail("does not fit this ensemble; delete it to begin anew");
  std::copy(kept.begin(), kept.end(), samples.begin());
  return true;
}

void JournalFile::keep(std::size_t k, const EnsembleRunResult& run, std::span<const double> samples) {
  Packer record;
  record.number(std::uint64_t{k});
  record.number(static_cast<std::uint64_t>(run.status));
  record.number(run.time);
  record.number(std::int64_t{run.steps});
  record.number(std::int64_t{run.rejected});
  record.number(run.energy);
  record.numbers(run.q);
  record.numbers(run.v);
  record.text(run.reason);
  record.numbers(samples);
  write_record(record.take());
}

void JournalFile::remove() const { ::unlink(path_.c_str()); }

}  // namespace ulna
