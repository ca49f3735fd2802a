#include "output_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <list>

#include "ulna/base/atomic_file.hpp"
#include "ulna/base/error.hpp"
#include "ulna/io/results/trajectory_format.hpp"

namespace ulna {

namespace fs = std::filesystem;

namespace {

// Each kind of result has a head, which says that it is Ulna's and comes last of its files.
constexpr std::array heads{"run.json", "loop.json", "select.json", "workspace.json", "reproduce.json"};
constexpr std::array<std::string_view, 8> other_parts{"ensemble.h5",   "table.csv",    "sweep.csv",   "points.csv",
                                                      "boundary.html", "boundary.stl", "report.html", "book.html"};

std::vector<std::string_view> parts() {
  std::vector<std::string_view> all(other_parts.begin(), other_parts.end());
  for (const TrajectoryFormat& format : trajectory_formats()) all.push_back(format.file);
  return all;
}

/// All heads have the version near their beginning.
bool is_head_of_ulna(const std::string& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return false;
  std::string beginning(4096, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(beginning.data(), std::ssize(beginning));
  return beginning.starts_with('{') && beginning.find("\"ulna\":") != std::string::npos;
}

}  // namespace

OutputFolder::OutputFolder(const std::string& name, ResultKind kind) : name_(name), kind_(kind) {
  make();
  try {
    lock();
    std::error_code error;
    bool open = false;
    const auto may_be_open = [&](bool is_open, ResultKind of, const char* file, const char* work) {
      open |= is_open;
      if (is_open && kind_ != of)
        throw InputError(Source{name_ + "/" + std::string(file), 0},
                         fmt::format("is of an unfinished {}; choose another folder, or delete it", work));
    };
    may_be_open(fs::exists(fs::path(name_) / "ensemble.partial", error), ResultKind::ensemble, "ensemble.partial",
                "ensemble");
    for (const ShardFolder& shards : kept_shards())
      may_be_open(shards.is_open(), shards.kind().result, shards.kind().folder, shards.kind().work);
    if (!open) expect_own_results();
    for (const char* head : heads) replaces_ |= fs::exists(fs::path(name_) / head, error);
  } catch (...) {
    remove_empty();
    if (descriptor_ >= 0) ::close(descriptor_);
    throw;
  }
}

OutputFolder::~OutputFolder() {
  remove_empty();
  ::close(descriptor_);
}

void OutputFolder::make() {
  std::error_code error, none;
  const auto is_there = [&](const fs::path& path) { return fs::exists(fs::symlink_status(path, none)); };
  for (fs::path path = fs::absolute(name_).lexically_normal(); !is_there(path) && path.has_relative_path();
       path = path.parent_path())
    made_.push_back(path);
  fs::create_directories(name_, error);
  if (fs::is_directory(name_, none)) return;
  remove_empty();
  throw InputError(Source{name_, 0}, fmt::format("cannot be made a folder: {}; choose another",
                                                 error ? error.message() : "something else has this name"));
}

/// On the folder itself, so that nothing is left behind. Some network drives have no such locks.
void OutputFolder::lock() {
  descriptor_ = ::open(name_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor_ < 0)
    throw InputError(Source{name_, 0},
                     fmt::format("cannot be opened: {}; choose another folder", std::strerror(errno)));
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    throw InputError(Source{name_, 0}, "another process is writing its results there; wait, or choose another folder");
}

void OutputFolder::expect_own_results() const {
  std::error_code error;
  const auto there = [&](std::string_view file) {
    return fs::exists(fs::symlink_status(fs::path(name_) / file, error));
  };
  const auto refuse = [&](std::string_view file) {
    throw InputError(Source{name_ + "/" + std::string(file), 0},
                     "would be replaced and does not belong to a whole result of Ulna, or was changed since; move it "
                     "away, or choose another folder");
  };
  bool whole = false;
  fs::file_time_type finished = fs::file_time_type::min();
  for (const char* head : heads) {
    if (!there(head)) continue;
    if (!is_head_of_ulna(name_ + "/" + head)) refuse(head);
    whole = true;
    finished = std::max(finished, fs::last_write_time(fs::path(name_) / head, error));
  }
  for (const std::string_view part : parts()) {
    if (!there(part)) continue;
    const fs::path path = fs::path(name_) / part;
    // A head is written last: what is younger has been changed by somebody else.
    if (!whole || !fs::is_regular_file(path, error) || fs::last_write_time(path, error) > finished) refuse(part);
  }
}

std::array<ShardFolder, 2> OutputFolder::kept_shards() const {
  return {ShardFolder(name_, ensemble_shards), ShardFolder(name_, design_shards)};
}

void OutputFolder::remove_earlier() const {
  const auto remove = [&](std::string_view file) {
    std::error_code error;
    const fs::path behind_links = fs::canonical(fs::path(name_) / file, error);
    if (!error) fs::remove(behind_links, error);
  };
  for (const char* head : heads) remove(head);
  for (const std::string_view part : parts()) remove(part);
  for (const ShardFolder& shards : kept_shards())
    if (kind_ != shards.kind().result) shards.remove();
}

void OutputFolder::replace(Texts texts, const std::function<void()>& put_others) const {
  std::list<AtomicFile> finished;
  for (const auto& [name, text] : texts) {
    AtomicFile& file = finished.emplace_back(name_ + "/" + name);
    file.write(text);
    file.finish();
  }
  remove_earlier();
  put_others();
  for (AtomicFile& file : finished) file.put_in_place();
}

void OutputFolder::remove_empty() const {
  std::error_code error;
  for (const fs::path& path : made_) fs::remove(path, error);
}

}  // namespace ulna
