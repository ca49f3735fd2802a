#include "shard_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/fnv.hpp"
#include "base/packed_bytes.hpp"
#include "hdf5_file.hpp"
#include "ulna/base/atomic_file.hpp"
#include "ulna/base/error.hpp"

namespace ulna {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t user_block = 512;  // the smallest that HDF5 has
constexpr std::string_view shard_title = "Ulna shard\n";

/// A regular file of this user's own, not behind a link.
class OwnFile {
 public:
  explicit OwnFile(const std::string& path) : file_(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC)) {
    struct stat status {};
    if (file_ < 0 || ::fstat(file_, &status) != 0) return;
    good_ = S_ISREG(status.st_mode) && status.st_uid == ::geteuid();
    size_ = static_cast<std::size_t>(status.st_size);
  }
  ~OwnFile() {
    if (file_ >= 0) ::close(file_);
  }
  OwnFile(const OwnFile&) = delete;
  OwnFile& operator=(const OwnFile&) = delete;

  bool good() const { return good_; }
  std::size_t size() const { return size_; }
  int get() const { return file_; }

 private:
  int file_;
  bool good_ = false;
  std::size_t size_ = 0;
};

/// Of the bytes from `from` to the end.
std::optional<std::uint64_t> checksum_of(int file, std::size_t from, std::size_t size) {
  std::vector<char> buffer(1 << 20);
  std::uint64_t hash = fnv1a_start;
  while (from < size) {
    const ssize_t count = ::pread(file, buffer.data(), std::min(buffer.size(), size - from), static_cast<off_t>(from));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return std::nullopt;
    hash = fnv1a({buffer.data(), static_cast<std::size_t>(count)}, hash);
    from += static_cast<std::size_t>(count);
  }
  return hash;
}

/// What the user block says, with a checksum of its own at the end.
struct ShardHead {
  std::uint64_t chunk = 0, identity = 0, size = 0, checksum = 0;

  std::string packed() const {
    Packer packer;
    packer.text(shard_title);
    for (const std::uint64_t x : {chunk, identity, size, checksum}) packer.number(x);
    std::string bytes = packer.take();
    Packer end;
    end.number(fnv1a(bytes));
    bytes += end.take();
    bytes.resize(user_block, '\0');
    return bytes;
  }
};

constexpr std::string_view volume_prefix = "volume_";

bool is_shard_name(const std::string& name) {
  return name.ends_with(".h5") && name.find_first_not_of("0123456789") == name.size() - 3;
}
bool is_volume_name(const std::string& name) {
  return name.starts_with(volume_prefix) && is_shard_name(name.substr(volume_prefix.size()));
}

/// Half written files have names as UnfinishedFile gives them.
bool is_leftover_name(const std::string& name) {
  const std::size_t part = name.find(".part");
  const std::string whole = name.substr(0, part);
  return part != std::string::npos && (whole == "plan" || is_shard_name(whole) || is_volume_name(whole));
}

template <class Which>
void remove_files(const std::string& folder, const Which& which) {
  std::error_code error;
  std::vector<fs::path> found;
  for (fs::directory_iterator entry(folder, error); !error && entry != fs::directory_iterator(); entry.increment(error))
    if (which(entry->path().filename().string())) found.push_back(entry->path());
  for (const fs::path& path : found) fs::remove(path, error);
}

}  // namespace

ShardFolder::ShardFolder(const std::string& folder, const ShardKind& kind)
    : folder_(folder), path_(folder + "/" + kind.folder), kind_(kind) {}

bool ShardFolder::is_open() const {
  std::error_code error;
  return read_head() && !fs::exists(folder_ + "/" + kind_.head, error);
}

void ShardFolder::expect_own() const {
  struct stat status {};
  if (::lstat(path_.c_str(), &status) != 0)
    throw InputError(Source{path_, 0}, fmt::format("cannot be opened: {}", std::strerror(errno)));
  if (!S_ISDIR(status.st_mode) || status.st_uid != ::geteuid())
    throw InputError(Source{path_, 0}, "is a link, or belongs to another user; choose another folder");
}

std::optional<std::string> ShardFolder::read_head() const {
  std::error_code error;
  if (!fs::exists(fs::symlink_status(path_, error))) return std::nullopt;
  expect_own();
  const OwnFile file(head_path());
  if (!file.good() || file.size() < sizeof(std::uint64_t)) return std::nullopt;
  std::string bytes(file.size(), '\0');
  if (::pread(file.get(), bytes.data(), bytes.size(), 0) != std::ssize(bytes)) return std::nullopt;
  const std::string_view head = std::string_view(bytes).substr(0, bytes.size() - sizeof(std::uint64_t));
  if (Unpacker(std::string_view(bytes).substr(head.size())).number<std::uint64_t>() != fnv1a(head)) return std::nullopt;
  return std::string(head);
}

void ShardFolder::write_head(const std::string& head) const {
  if (::mkdir(path_.c_str(), 0777) != 0 && errno != EEXIST)
    throw InputError(Source{path_, 0},
                     fmt::format("cannot be made: {}; check the folder and the free space", std::strerror(errno)));
  expect_own();
  fs::remove(head_path());
  Packer checksum;
  checksum.number(fnv1a(head));
  write_file(head_path(), head + checksum.take());
}

void ShardFolder::remove_leftovers() const { remove_files(path_, is_leftover_name); }

void ShardFolder::remove() const {
  if (!read_head()) return;
  remove_files(path_, [](const std::string& name) {
    return name == "plan" || is_shard_name(name) || is_volume_name(name) || is_leftover_name(name);
  });
  ::rmdir(path_.c_str());
}

std::string ShardFolder::name_of_shard(std::size_t chunk) const {
  return fmt::format("{}/{:07}.h5", kind_.folder, chunk);
}

std::string ShardFolder::path_of_shard(std::size_t chunk) const { return folder_ + "/" + name_of_shard(chunk); }

bool ShardFolder::holds(std::size_t chunk, std::uint64_t identity, bool thorough) const {
  const OwnFile file(path_of_shard(chunk));
  if (!file.good() || file.size() <= user_block) return false;
  std::string there(user_block, '\0');
  if (::pread(file.get(), there.data(), there.size(), 0) != std::ssize(there)) return false;
  ShardHead head{chunk, identity, file.size() - user_block, 0};
  Unpacker from(there);
  if (from.number<std::uint64_t>() != shard_title.size()) return false;
  from =
      Unpacker(std::string_view(there).substr(sizeof(std::uint64_t) + shard_title.size() + 3 * sizeof(std::uint64_t)));
  head.checksum = from.number<std::uint64_t>();
  if (head.packed() != there) return false;
  return !thorough || checksum_of(file.get(), user_block, file.size()) == head.checksum;
}

void ShardFolder::write(std::size_t chunk, std::uint64_t identity,
                        const std::function<void(const Hdf5File&)>& fill) const {
  expect_own();
  const std::string path = path_of_shard(chunk);
  std::error_code error;
  fs::remove(path, error);  // a damaged one, or a link, which must not be followed
  Hdf5File file(path, user_block);
  fill(file);
  file.finish([&](int whole) {
    struct stat status {};
    if (::fstat(whole, &status) != 0) return false;
    const auto size = static_cast<std::size_t>(status.st_size);
    const std::optional<std::uint64_t> checksum = checksum_of(whole, user_block, size);
    if (!checksum) return false;
    const std::string head = ShardHead{chunk, identity, size - user_block, *checksum}.packed();
    return ::pwrite(whole, head.data(), head.size(), 0) == std::ssize(head);
  });
  file.put_in_place();
}

std::string ShardFolder::name_of_volume(std::size_t volume) const {
  return fmt::format("{}/{}{:04}.h5", kind_.folder, volume_prefix, volume);
}

void ShardFolder::write_volume(std::size_t volume, const std::function<void(const Hdf5File&)>& fill) const {
  expect_own();
  const std::string path = folder_ + "/" + name_of_volume(volume);
  std::error_code error;
  fs::remove(path, error);
  Hdf5File file(path);
  fill(file);
  file.finish();
  file.put_in_place();
}

void ShardFolder::remove_shards() const { remove_files(path_, is_shard_name); }

bool ShardFolder::has_volumes() const {
  std::error_code error;
  return fs::exists(fs::symlink_status(folder_ + "/" + name_of_volume(0), error));
}

}  // namespace ulna
