#include "text_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "ulna/base/error.hpp"

namespace ulna {

namespace {

constexpr std::size_t largest_file = 64u << 20;

bool is_standard_input(const std::string& path) {
  return path == "-" || path == "/dev/stdin" || path == "/dev/fd/0" || path == "/proc/self/fd/0";
}

std::string read_to_end(std::FILE* file, const Source& source, const std::string& what) {
  std::string text;
  std::vector<char> piece(1 << 16);
  while (const std::size_t count = std::fread(piece.data(), 1, piece.size(), file)) {
    text.append(piece.data(), count);
    if (text.size() > largest_file) throw InputError(source, fmt::format("is larger than 64 MB; that is no {}", what));
  }
  if (std::ferror(file) != 0) throw InputError(source, "cannot be read to its end");
  return text;
}

std::string read_path(const std::string& path, const std::string& what) {
  const Source source{file_name(path), 0};
  if (is_standard_input(path)) return read_to_end(stdin, source, what);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (file == nullptr) throw InputError(source, fmt::format("cannot be opened: {}", std::strerror(errno)));
  return read_to_end(file.get(), source, what);
}

}  // namespace

bool is_stream(const std::string& path) {
  return is_standard_input(path) || path.starts_with("/dev/fd/") || path.starts_with("/proc/self/fd/");
}

std::string file_name(const std::string& path) { return is_standard_input(path) ? "standard input" : path; }

std::string stem_of(const std::string& path) {
  return is_stream(path) ? "robot" : std::filesystem::path(path).stem().string();
}

bool has_ending(std::string_view path, std::string_view ending) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  return path.size() >= ending.size() && std::equal(ending.begin(), ending.end(), path.end() - std::ssize(ending),
                                                    [&](char a, char b) { return lower(a) == lower(b); });
}

void expect_file(const std::string& path, const std::string& what) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found)
    throw InputError(Source{path, 0}, "no such file; check the path");
  if (error) throw InputError(Source{path, 0}, fmt::format("cannot be opened: {}; check the path", error.message()));
  if (std::filesystem::is_directory(status))
    throw InputError(Source{path, 0}, fmt::format("is a folder, not a {}", what));
}

void expect_regular_file(const std::string& path, const std::string& what) {
  expect_file(path, what);
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error))
    throw InputError(Source{path, 0}, fmt::format("is a pipe or a device, not a {}; give a regular file", what));
}

std::string read_text_file(const std::string& path, const std::string& what) {
  if (is_stream(path)) {
    static std::mutex mutex;
    static std::map<std::string, std::string> read;  // by name
    const std::lock_guard lock(mutex);
    const auto found = read.find(file_name(path));
    return found != read.end() ? found->second : read.emplace(file_name(path), read_path(path, what)).first->second;
  }
  expect_regular_file(path, what);
  return read_path(path, what);
}

}  // namespace ulna
