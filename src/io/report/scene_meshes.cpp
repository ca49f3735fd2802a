#include "scene_meshes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "io/mesh/mesh_files.hpp"
#include "page_data.hpp"
#include "scene_numbers.hpp"
#include "ulna/io/mesh/mesh.hpp"
#include "ulna/io/robot/mesh_file.hpp"

namespace ulna {

using Json = nlohmann::ordered_json;

namespace {

/// Of all meshes together: half a megabyte of the page.
constexpr std::size_t most_triangles_drawn = 40'000;
/// Of one: its points, three each at most, have numbers of 16 bits.
constexpr std::size_t most_triangles_of_one = 20'000;
constexpr std::size_t most_points = 65535;

struct DrawnMesh {
  const Shape* shape;
  std::size_t body;
  Pose<double> pose;
  const Mesh* mesh;
};

/// One part for each colour.
Mesh merged(const Mesh& mesh) {
  Mesh out;
  for (const MeshPart& part : mesh.parts) {
    const auto same = std::find_if(out.parts.begin(), out.parts.end(),
                                   [&](const MeshPart& other) { return other.colour == part.colour; });
    if (same == out.parts.end()) {
      out.parts.push_back(part);
      continue;
    }
    const auto first = static_cast<std::uint32_t>(same->points.size());
    same->points.insert(same->points.end(), part.points.begin(), part.points.end());
    for (const auto& [a, b, c] : part.triangles) same->triangles.push_back({first + a, first + b, first + c});
  }
  return out;
}

/// Files that several shapes name are read once, and kept as small as the largest picture wants them.
class MeshFilesRead {
 public:
  const Mesh& operator[](const std::string& file) {
    const auto found = meshes_.find(file);
    if (found != meshes_.end()) return found->second;
    return meshes_.emplace(file, simplified(merged(load_mesh(file)), most_triangles_of_one)).first->second;
  }

 private:
  std::map<std::string, Mesh> meshes_;
};

bool is_drawable(const Mesh& mesh, const std::array<double, 3>& scale) {
  for (const MeshPart& part : mesh.parts) {
    for (const Vec3<double>& p : part.points)
      for (const double x : {scale[0] * p.x, scale[1] * p.y, scale[2] * p.z})
        if (!is_near(x)) return false;
  }
  return true;
}

std::vector<DrawnMesh> read_meshes(const Graph& graph, const Model& model, MeshFilesRead& files,
                                   std::vector<std::string>& problems) {
  std::vector<DrawnMesh> meshes;
  for (const GraphBody& body : graph.bodies) {
    const Frame* frame = model.find_frame(body.name);
    if (frame == nullptr) continue;
    for (const Shape& shape : body.shapes) {
      if (shape.kind != Shape::Kind::mesh) continue;
      const std::optional<std::string> file = find_mesh(shape, body);
      if (!file) continue;
      try {
        const Mesh& mesh = files[*file];
        if (!is_drawable(mesh, shape.size))
          problems.push_back(fmt::format("The mesh of '{}' is not drawn: its scale makes it too large.", body.name));
        else
          meshes.push_back({&shape, static_cast<std::size_t>(frame->body + 1), frame->pose * shape.pose, &mesh});
      } catch (const InputError& error) {
        problems.push_back(fmt::format("A mesh is not drawn: {}", error.what()));
      }
    }
  }
  return meshes;
}

/// How many triangles each may have, so that all together have at most `most`: the small ones keep theirs.
std::size_t fair_share(const std::vector<DrawnMesh>& meshes, std::size_t most) {
  std::vector<std::size_t> counts;
  counts.reserve(meshes.size());
  for (const DrawnMesh& drawn : meshes) counts.push_back(drawn.mesh->triangle_count());
  std::sort(counts.begin(), counts.end());
  std::size_t left = most;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    const std::size_t share = left / (counts.size() - k);
    if (counts[k] > share) return share;
    left -= counts[k];
  }
  return most;
}

std::string hex_of(const Colour& colour) {
  const auto byte = [&](std::size_t k) { return std::lround(255.0 * std::clamp(colour[k], 0.0, 1.0)); };
  return fmt::format("#{:02x}{:02x}{:02x}", byte(0), byte(1), byte(2));
}

/// Points in steps of a 65535th of their box: a robot of a metre has them to 0.02 mm.
Json part_json(const MeshPart& part, const std::array<double, 3>& scale) {
  std::array<double, 3> lower, upper;
  lower.fill(std::numeric_limits<double>::infinity());
  upper.fill(-std::numeric_limits<double>::infinity());
  std::vector<std::array<double, 3>> points;
  points.reserve(part.points.size());
  for (const Vec3<double>& p : part.points) {
    points.push_back({scale[0] * p.x, scale[1] * p.y, scale[2] * p.z});
    for (std::size_t k = 0; k < 3; ++k) {
      lower[k] = std::min(lower[k], points.back()[k]);
      upper[k] = std::max(upper[k], points.back()[k]);
    }
  }
  std::array<double, 3> step{};
  for (std::size_t k = 0; k < 3; ++k) step[k] = (upper[k] - lower[k]) / 65535.0;
  std::vector<std::uint16_t> steps, corners;
  for (const std::array<double, 3>& p : points)
    for (std::size_t k = 0; k < 3; ++k)
      steps.push_back(static_cast<std::uint16_t>(step[k] > 0.0 ? std::lround((p[k] - lower[k]) / step[k]) : 0));
  for (const auto& triangle : part.triangles)
    for (const std::uint32_t corner : triangle) corners.push_back(static_cast<std::uint16_t>(corner));
  return {{"lower", lower}, {"step", step}, {"points", base64(steps)}, {"triangles", base64(corners)}};
}

}  // namespace

void add_colour(Json& shape, const std::optional<Colour>& colour) {
  if (!colour) return;
  shape["colour"] = hex_of(*colour);
  if ((*colour)[3] < 1.0) shape["opacity"] = std::clamp((*colour)[3], 0.0, 1.0);
}

void add_meshes(Json& shapes, const Graph& graph, const Model& model, std::vector<std::string>& problems) {
  constexpr std::size_t most_parts = 500;
  MeshFilesRead files;
  const std::vector<DrawnMesh> meshes = read_meshes(graph, model, files, problems);
  const std::size_t share = std::min(most_triangles_of_one, fair_share(meshes, most_triangles_drawn));
  std::size_t parts = 0, left_out = 0;
  for (const DrawnMesh& drawn : meshes) {
    for (const MeshPart& part : simplified(*drawn.mesh, share).parts) {
      if (part.points.size() > most_points || ++parts > most_parts) {
        ++left_out;
        continue;
      }
      Json json{{"body", drawn.body}, {"kind", "mesh"}, {"pose", json_of(drawn.pose)}};
      json.update(part_json(part, drawn.shape->size));
      add_colour(json, part.colour ? part.colour : drawn.shape->colour);
      shapes.push_back(std::move(json));
    }
  }
  if (left_out > 0)
    problems.push_back(
        fmt::format("{} parts of meshes are not drawn: they are too many, or fall into pieces.", left_out));
}

bool add_surface(Json& shapes, const Mesh& mesh) {
  Json made = Json::array();
  for (const MeshPart& part : simplified(mesh, most_triangles_of_one).parts) {
    if (part.points.size() > most_points) return false;
    Json json{{"body", 0}, {"kind", "mesh"}, {"pose", json_of(Pose<double>::identity())}};
    json.update(part_json(part, {1.0, 1.0, 1.0}));
    add_colour(json, part.colour);
    made.push_back(std::move(json));
  }
  shapes.insert(shapes.end(), made.begin(), made.end());
  return true;
}

}  // namespace ulna
