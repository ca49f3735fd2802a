#include "text_file.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <vector>

#include "ulna/model/finding.hpp"

namespace ulna {

namespace {
constexpr std::size_t largest_file = 64u << 20;
}

std::string read_text_file(const std::string& path, const std::string& what) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) throw InputError(Source{path, 0}, "no such file; check the path");
  if (std::filesystem::is_directory(status))
    throw InputError(Source{path, 0}, fmt::format("is a folder, not a {}", what));
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError(Source{path, 0}, "cannot be opened; check its permissions");
  std::string text;
  std::vector<char> piece(1 << 16);
  while (file.read(piece.data(), std::ssize(piece)) || file.gcount() > 0) {
    text.append(piece.data(), static_cast<std::size_t>(file.gcount()));
    if (text.size() > largest_file)
      throw InputError(Source{path, 0}, fmt::format("is larger than 64 MB; that is no {}", what));
  }
  if (file.bad()) throw InputError(Source{path, 0}, "cannot be read to its end");
  return text;
}

}  // namespace ulna
