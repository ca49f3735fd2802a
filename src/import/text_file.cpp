#include "text_file.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "ulna/model/finding.hpp"

namespace ulna {

namespace {
constexpr std::uintmax_t largest_file = 64u << 20;
}

std::string read_text_file(const std::string& path, const std::string& what) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) throw InputError(Source{path, 0}, "no such file; check the path");
  if (std::filesystem::is_directory(status))
    throw InputError(Source{path, 0}, fmt::format("is a folder, not a {}", what));
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError(Source{path, 0}, "cannot be opened; check its permissions");
  if (std::filesystem::is_regular_file(status) && std::filesystem::file_size(path, error) > largest_file)
    throw InputError(Source{path, 0}, fmt::format("is larger than 64 MB; that is no {}", what));
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

}  // namespace ulna
