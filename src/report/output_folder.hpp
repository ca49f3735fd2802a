// The folder for results: made with all folders above it; those that stay empty, because the work was
// refused, go again.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "ulna/model/finding.hpp"

namespace ulna {

/// What an earlier run or ensemble may have left, and would lie beside this one's.
inline void remove_stale_results(const std::string& folder) {
  std::error_code error;
  for (const char* stale : {"run.json", "trajectory.csv", "trajectory.h5", "ensemble.h5"})
    std::filesystem::remove(folder + "/" + stale, error);
}

class OutputFolder {
 public:
  explicit OutputFolder(const std::string& name) {
    namespace fs = std::filesystem;
    std::error_code error;
    for (fs::path path = fs::absolute(name).lexically_normal(); !fs::exists(path, error) && path.has_relative_path();
         path = path.parent_path())
      made_.push_back(path);
    fs::create_directories(name, error);
    if (!fs::is_directory(name, error)) {
      remove_empty();
      throw InputError(Source{name, 0}, "is not a folder and cannot be made one; choose another with -o");
    }
  }
  ~OutputFolder() { remove_empty(); }
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

 private:
  void remove_empty() const {
    std::error_code error;
    for (const std::filesystem::path& path : made_) std::filesystem::remove(path, error);
  }

  std::vector<std::filesystem::path> made_;  // the deepest first
};

}  // namespace ulna
