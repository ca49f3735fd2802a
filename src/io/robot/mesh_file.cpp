#include "io/robot/mesh_file.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>

#include "ulna/base/error.hpp"
#include "ulna/io/mesh/mesh.hpp"
#include "ulna/io/robot/mesh_file.hpp"

namespace ulna {

namespace {

namespace fs = std::filesystem;

struct PackagePath {
  std::string package, path;
};

std::optional<PackagePath> in_package(const std::string& mesh) {
  for (const std::string_view scheme : {"package://", "model://"}) {
    if (!mesh.starts_with(scheme)) continue;
    const std::size_t begin = scheme.size(), slash = mesh.find('/', begin);
    if (slash == std::string::npos) return PackagePath{mesh.substr(begin), ""};
    return PackagePath{mesh.substr(begin, slash - begin), mesh.substr(slash + 1)};
  }
  return std::nullopt;
}

std::vector<fs::path> folders_of(const char* variable) {
  std::vector<fs::path> folders;
  const char* value = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): nobody here sets any
  std::string_view rest = value == nullptr ? "" : value;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    if (end > 0) folders.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return folders;
}

/// Folders that may hold packages, or be one.
std::vector<fs::path> package_folders(const std::string& robot_file) {
  std::vector<fs::path> folders = folders_of("ULNA_PACKAGE_PATH");
  for (const fs::path& folder : folders_of("ROS_PACKAGE_PATH")) folders.push_back(folder);
  for (const fs::path& prefix : folders_of("AMENT_PREFIX_PATH")) folders.push_back(prefix / "share");
  std::error_code error;
  for (fs::path around = fs::absolute(robot_file, error).parent_path(); !around.empty();
       around = around.parent_path()) {
    folders.push_back(around);
    if (around == around.parent_path()) break;
  }
  return folders;
}

bool is_there(const fs::path& file) {
  std::error_code error;
  return fs::is_regular_file(file, error);
}

}  // namespace

std::string kept_mesh_name(const std::string& written, const std::string& robot_file) {
  if (in_package(written)) return written;
  const std::string_view scheme = "file://";
  const fs::path path(written.starts_with(scheme) ? written.substr(scheme.size()) : written);
  std::error_code error;
  const fs::path whole = fs::absolute(fs::path(robot_file).parent_path() / path, error);
  return (error ? path : whole).lexically_normal().string();
}

std::optional<std::string> find_mesh(const Shape& shape, const GraphBody& body) {
  const std::optional<PackagePath> wanted = in_package(shape.mesh);
  if (!wanted) return is_there(shape.mesh) ? std::optional(shape.mesh) : std::nullopt;
  for (const fs::path& folder : package_folders(body.source.file)) {
    if (const fs::path file = folder / wanted->package / wanted->path; is_there(file)) return file.string();
    const bool is_package = folder.filename() == wanted->package;
    if (const fs::path file = folder / wanted->path; is_package && is_there(file)) return file.string();
  }
  return std::nullopt;
}

std::vector<std::string> unreadable_meshes(const Graph& graph) {
  std::set<std::string> read;
  std::vector<std::string> notices;
  for (const GraphBody& body : graph.bodies) {
    for (const Shape& shape : body.shapes) {
      if (shape.kind != Shape::Kind::mesh) continue;
      const std::optional<std::string> file = find_mesh(shape, body);
      if (!file || !read.insert(*file).second) continue;
      try {
        load_mesh(*file);
      } catch (const InputError& error) {
        notices.push_back(fmt::format("a mesh is not drawn: {}", error.what()));
      }
    }
  }
  return notices;
}

std::vector<std::string> missing_meshes(const Graph& graph) {
  std::map<std::string, std::size_t> packages;
  std::vector<std::string> files;
  for (const GraphBody& body : graph.bodies) {
    for (const Shape& shape : body.shapes) {
      if (shape.kind != Shape::Kind::mesh || find_mesh(shape, body)) continue;
      if (const std::optional<PackagePath> in = in_package(shape.mesh))
        ++packages[in->package];
      else
        files.push_back(shape.mesh);
    }
  }
  std::vector<std::string> notices;
  notices.reserve(packages.size() + 1);
  for (const auto& [package, count] : packages) {
    notices.push_back(
        fmt::format("{} mesh{} of package '{}' {} not found, and not drawn; name the folder that holds "
                    "the package in the environment variable ULNA_PACKAGE_PATH",
                    count, count == 1 ? "" : "es", package, count == 1 ? "is" : "are"));
  }
  if (!files.empty()) {
    notices.push_back(fmt::format("{} mesh{} not there, and not drawn: {}{}", files.size(),
                                  files.size() == 1 ? " is" : "es are", files.front(),
                                  files.size() == 1 ? "" : " and others"));
  }
  return notices;
}

}  // namespace ulna
