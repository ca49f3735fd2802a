#include "shared_object.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <pwd.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <vector>

#include "ulna/base/atomic_file.hpp"
#include "ulna/base/error.hpp"
#include "ulna/base/unfinished_file.hpp"
#include "ulna/trace/emit_c.hpp"

namespace ulna::trace {

namespace fs = std::filesystem;

SharedObject::~SharedObject() { dlclose(handle_); }

void* SharedObject::find(const std::string& name) const { return dlsym(handle_, name.c_str()); }

namespace {

/// clang knows no flags for scheduling.
bool is_gcc(const std::string& compiler) {
  std::error_code none;
  return fs::canonical(compiler, none).filename().string().find("gcc") != std::string::npos;
}

/// Measured on seven-joint arms (doc/trace.md).
std::vector<std::string> flags_of(bool scheduled) {
  std::vector<std::string> flags{"-std=c99",        "-O3",   "-march=native", "-ffp-contract=fast",
                                 "-fno-math-errno", "-fPIC", "-shared"};
  if (scheduled) flags.insert(flags.end(), {"-fschedule-insns", "-fsched-pressure"});
  return flags;
}

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// No link, pipe or device that reading might hang on.
bool is_plain_file(const fs::path& path) {
  std::error_code none;
  return fs::symlink_status(path, none).type() == fs::file_type::regular;
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

/// A program's full path; empty if there is none.
std::string find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return access(name.c_str(), X_OK) == 0 ? name : "";
  const std::string path = environment("PATH");
  for (std::size_t first = 0; first <= path.size();) {
    const std::size_t end = std::min(path.find(':', first), path.size());
    std::string candidate = path.substr(first, end - first) + "/" + name;
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
    first = end + 1;
  }
  return "";
}

struct Compiler {
  std::string path;  // empty if there is none
  std::vector<std::string> arguments;
};

/// CC is a program, or a program and its arguments, as make has it.
Compiler find_compiler() {
  const std::string given = environment("CC");
  std::istringstream text(given);
  std::vector<std::string> words{std::istream_iterator<std::string>(text), {}};
  if (words.empty()) return {find_program("cc"), {}};
  if (std::string whole = find_program(given); !whole.empty()) return {whole, {}};
  return {find_program(words[0]), {words.begin() + 1, words.end()}};
}

/// What code for this processor depends on: the line of its abilities.
std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("flags") || line.starts_with("Features")) return line;
  return "";
}

std::string key_of(const std::string& source, const std::string& compiler, const std::vector<std::string>& flags) {
  std::error_code none;
  const fs::path real = fs::canonical(compiler, none);
  std::string all = source + compiler + real.string() + processor();
  all += fmt::format("{} {}", fs::file_size(real, none), fs::last_write_time(real, none).time_since_epoch().count());
  for (const std::string& flag : flags) all += " " + flag;
  return content_hash(all) + content_hash(content_hash(all) + all);
}

std::string home() {
  if (std::string given = environment("HOME"); !given.empty()) return given;
  const passwd* user = getpwuid(geteuid());
  return user != nullptr ? user->pw_dir : "";
}

/// The cache folder, made if need be; empty, with a note, if it is not ours alone.
fs::path cache_folder(std::string& note) {
  fs::path folder = environment("ULNA_CACHE");
  if (folder.empty() && !environment("XDG_CACHE_HOME").empty())
    folder = fs::path(environment("XDG_CACHE_HOME")) / "ulna";
  if (folder.empty() && !home().empty()) folder = fs::path(home()) / ".cache" / "ulna";
  std::error_code error;
  if (folder.has_parent_path()) fs::create_directories(folder.parent_path(), error);
  if (!folder.empty()) mkdir(folder.c_str(), 0700);
  struct stat status {};
  const bool ours = !folder.empty() && stat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) &&
                    status.st_uid == geteuid() && (status.st_mode & 022) == 0 && access(folder.c_str(), W_OK) == 0;
  if (ours) return folder;
  note = folder.empty() ? "there is no home folder for a cache; compiled code is not kept (set ULNA_CACHE)"
                        : fmt::format(
                              "the cache folder '{}' is not a folder that you alone can write; compiled code is not "
                              "kept (set ULNA_CACHE)",
                              folder.string());
  return {};
}

/// A folder of our own that goes away again; those of programs that were killed go with it.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::error_code error;
    const fs::path place = fs::temp_directory_path(error);
    if (error) return;
    remove_leftovers(place);
    std::string name = (place / fmt::format("{}{}-XXXXXX", stem, getpid())).string();
    if (mkdtemp(name.data()) != nullptr) path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code none;
    if (!path_.empty()) fs::remove_all(path_, none);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  static constexpr std::string_view stem = "ulna-";

  static void remove_leftovers(const fs::path& place) {
    std::error_code error;
    fs::directory_iterator entry(place, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
      const std::string name = entry->path().filename().string();
      struct stat status {};
      const bool ours = name.starts_with(stem) && lstat(entry->path().c_str(), &status) == 0 &&
                        S_ISDIR(status.st_mode) && status.st_uid == geteuid();
      std::error_code none;
      if (ours && is_gone(std::strtol(name.c_str() + stem.size(), nullptr, 10))) fs::remove_all(entry->path(), none);
    }
  }

  fs::path path_;
};

/// Runs the compiler without a shell; empty, or the first line of what it said.
std::string run_compiler(const std::string& compiler, const std::vector<std::string>& flags, const fs::path& source,
                         const fs::path& object, const fs::path& log) {
  std::vector<std::string> words{compiler};
  words.insert(words.end(), flags.begin(), flags.end());
  words.insert(words.end(), {"-o", object.string(), source.string(), "-lm"});
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 2, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  pid_t child = 0;
  const int failed = posix_spawn(&child, compiler.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return std::strerror(failed);
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return std::strerror(errno);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return "";
  const std::string said = text_of(log);
  return said.empty() ? "it failed without a word" : said.substr(0, said.find('\n'));
}

std::shared_ptr<SharedObject> load(const fs::path& object) {
  void* handle = dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL);
  return handle != nullptr ? std::make_shared<SharedObject>(handle) : nullptr;
}

/// What the file beside a cached object says of it.
std::string seal(const std::string& key, const fs::path& object) {
  const std::string bytes = text_of(object);
  return fmt::format("{} {} {}\n", key, bytes.size(), content_hash(bytes));
}

}  // namespace

LoadedObject compile_and_load(const std::string& source, bool scheduled) {
  const auto [compiler, arguments] = find_compiler();
  if (compiler.empty()) return {nullptr, "there is no C compiler (cc, or what CC names); the generic path is used"};
  std::vector<std::string> flags = flags_of(scheduled && is_gcc(compiler));
  flags.insert(flags.end(), arguments.begin(), arguments.end());  // the caller's word is the last
  const std::string key = key_of(source, compiler, flags);
  std::string note;
  const fs::path cache = cache_folder(note);
  const fs::path object = cache / (key + ".so"), sealed = cache / (key + ".sum");
  if (!cache.empty() && is_plain_file(object) && is_plain_file(sealed) && text_of(sealed) == seal(key, object))
    if (std::shared_ptr<SharedObject> loaded = load(object)) return {loaded, ""};
  const TemporaryFolder work;
  if (work.path().empty()) return {nullptr, "no temporary folder could be made; the generic path is used"};
  const fs::path text = work.path() / "robot.c", built = work.path() / "robot.so";
  std::ofstream(text) << source;
  if (const std::string error = run_compiler(compiler, flags, text, built, work.path() / "log"); !error.empty())
    return {nullptr,
            fmt::format("{} did not compile the generated code: {}; the generic path is used", compiler, error)};
  std::shared_ptr<SharedObject> loaded = load(built);
  if (loaded == nullptr) return {nullptr, "the compiled code could not be loaded; the generic path is used"};
  if (cache.empty()) return {loaded, note};
  try {
    write_file(object.string(), text_of(built));
    write_file(sealed.string(), seal(key, built));
  } catch (const InputError& e) {
    note = fmt::format("compiled code is not kept: {}", e.what());
  }
  return {loaded, note};
}

}  // namespace ulna::trace
