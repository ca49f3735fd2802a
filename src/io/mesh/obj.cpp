// Wavefront OBJ: points, faces of them, and colours in files beside it.
#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <map>
#include <set>
#include <unordered_map>

#include "base/text_file.hpp"
#include "mesh_files.hpp"
#include "words_of_lines.hpp"

namespace ulna {

namespace {

using Colours = std::map<std::string, Colour, std::less<>>;

/// The materials of a file; a missing one has none, the shape is there all the same.
void add_materials(const std::filesystem::path& path, Colours& colours) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return;
  const std::string text = read_text_file(path.string(), "material file");
  WordsOfLines lines(text, path.string());
  Colour* material = nullptr;
  while (lines.next()) {
    const std::vector<std::string_view>& words = lines.words();
    if (words.front() == "newmtl" && words.size() > 1) {
      material = &colours.emplace(words[1], Colour{0.8, 0.8, 0.8, 1.0}).first->second;
    } else if (material != nullptr && words.front() == "Kd" && words.size() > 3 && words[1] != "spectral") {
      const Vec3<double> c = lines.point(1);
      *material = {c.x, c.y, c.z, (*material)[3]};
    } else if (material != nullptr && words.front() == "d" && words.size() == 2) {
      (*material)[3] = lines.number(1);
    }
  }
}

class ObjReader {
 public:
  ObjReader(std::string_view text, const std::string& file) : lines_(text, file), file_(file) { use(""); }

  Mesh read() {
    while (lines_.next()) {
      const std::vector<std::string_view>& words = lines_.words();
      if (words.front() == "v") {
        points_.push_back(lines_.point(1));
      } else if (words.front() == "f") {
        add_face();
      } else if (words.front() == "usemtl") {
        use(words.size() > 1 ? words[1] : "");
      } else if (words.front() == "mtllib" && words.size() > 1) {
        constexpr std::size_t most_libraries = 16;
        if (libraries_.size() < most_libraries && libraries_.emplace(words[1]).second)
          add_materials(std::filesystem::path(file_).parent_path() / words[1], colours_);
      }
    }
    Mesh mesh;
    for (auto& [name, part] : parts_) {
      if (part.mesh.triangles.empty()) continue;
      if (const auto found = colours_.find(name); found != colours_.end()) part.mesh.colour = found->second;
      expect_finite_points(part.mesh, file_);
      mesh.parts.push_back(std::move(part.mesh));
    }
    return mesh;
  }

 private:
  struct Part {
    MeshPart mesh;
    std::unordered_map<std::size_t, std::uint32_t> index_of;  // of the file's points
  };

  void use(std::string_view material) { part_ = &parts_[std::string(material)]; }

  /// A polygon as a fan; "7/1/3" is point 7, negative numbers count from the end.
  void add_face() {
    const std::vector<std::string_view>& words = lines_.words();
    if (words.size() < 4) lines_.fail("a face has at least three points");
    const std::uint32_t first = point_of(words[1]);
    for (std::uint32_t k = 3, before = point_of(words[2]); k < words.size(); ++k) {
      const std::uint32_t next = point_of(words[k]);
      part_->mesh.triangles.push_back({first, before, next});
      before = next;
    }
    triangles_ += words.size() - 3;
    expect_triangles(triangles_, file_);
  }

  std::uint32_t point_of(std::string_view word) {
    long written = 0;
    const std::string_view digits = word.substr(0, word.find('/'));
    const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), written);
    const auto count = static_cast<long>(points_.size());
    const long index = written < 0 ? count + written : written - 1;
    if (status != std::errc{} || end != digits.data() + digits.size() || index < 0 || index >= count)
      lines_.fail(fmt::format("a face names point '{}'; there are {} before it", digits.substr(0, 20), count));
    const auto [found, is_new] =
        part_->index_of.emplace(static_cast<std::size_t>(index), static_cast<std::uint32_t>(part_->mesh.points.size()));
    if (is_new) part_->mesh.points.push_back(points_[static_cast<std::size_t>(index)]);
    return found->second;
  }

  WordsOfLines lines_;
  const std::string& file_;
  std::vector<Vec3<double>> points_;
  Colours colours_;
  std::set<std::string, std::less<>> libraries_;
  std::map<std::string, Part, std::less<>> parts_;  // by material
  Part* part_ = nullptr;
  std::size_t triangles_ = 0;
};

}  // namespace

Mesh parse_obj(std::string_view text, const std::string& file) { return ObjReader(text, file).read(); }

}  // namespace ulna
