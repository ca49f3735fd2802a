#include "ulna/io/mesh/mesh.hpp"

#include <fmt/format.h>

#include <array>

#include "base/text_file.hpp"
#include "mesh_files.hpp"
#include "ulna/base/error.hpp"

namespace ulna {

std::size_t Mesh::triangle_count() const {
  std::size_t count = 0;
  for (const MeshPart& part : parts) count += part.triangles.size();
  return count;
}

std::span<const MeshFormat> mesh_formats() {
  static constexpr std::array<MeshFormat, 3> formats{{{".stl", parse_stl}, {".obj", parse_obj}, {".dae", parse_dae}}};
  return formats;
}

Mesh load_mesh(const std::string& path) {
  for (const MeshFormat& format : mesh_formats()) {
    if (!has_ending(path, format.ending)) continue;
    Mesh mesh = format.parse(read_text_file(path, "mesh"), path);
    if (mesh.triangle_count() == 0)
      throw InputError(Source{path, 0}, "the mesh has no triangles; is it the whole file, and not a pointer to it?");
    return mesh;
  }
  throw InputError(Source{path, 0}, "meshes of this kind are not supported; give an .stl, .obj or .dae file");
}

void expect_finite_points(const MeshPart& part, const std::string& file) {
  for (const Vec3<double>& p : part.points) {
    for (const double x : {p.x, p.y, p.z})
      if (!is_near(x)) throw InputError(Source{file, 0}, "a point of the mesh is not finite, or far away; correct it");
  }
}

void expect_triangles(std::size_t count, const std::string& file) {
  if (count > most_mesh_triangles) {
    throw InputError(Source{file, 0}, fmt::format("the mesh has more than {} triangles; give a simpler one, "
                                                  "for pictures 10,000 are plenty",
                                                  most_mesh_triangles));
  }
}

}  // namespace ulna
