// The surfaces that draw a robot's links: triangles, and the files that hold them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ulna/spatial/colour.hpp"
#include "ulna/spatial/mat3.hpp"

namespace ulna {

/// Triangles of one colour, each by its three points, counter-clockwise as seen from outside.
struct MeshPart {
  std::vector<Vec3<double>> points{};
  std::vector<std::array<std::uint32_t, 3>> triangles{};
  std::optional<Colour> colour{};  // if the file says one
};

struct Mesh {
  std::vector<MeshPart> parts{};

  std::size_t triangle_count() const;
};

/// A file format of meshes. A new one is a file that reads it, and a row.
struct MeshFormat {
  std::string_view ending;  // ".stl"
  /// `file` is what messages call it; files that it names are looked for beside it. Throws InputError.
  Mesh (*parse)(std::string_view bytes, const std::string& file);
};
std::span<const MeshFormat> mesh_formats();

/// Of a file of one of the formats, in the file's own lengths, COLLADA's in metres. Throws InputError, for a file
/// without triangles too.
Mesh load_mesh(const std::string& path);

/// The same surface with at most so many triangles, or few more where it falls into many pieces: edges that matter
/// least go first.
Mesh simplified(const Mesh& mesh, std::size_t most_triangles);

/// What the surface encloses, if it were filled with a density of one: volume, centre, and second moments about the
/// centre. Of a surface that is open, its box.
struct MeshSolid {
  double volume = 0.0;
  Vec3<double> centre{0, 0, 0};
  Sym3<double> inertia{0, 0, 0, 0, 0, 0};
  bool is_closed = false;
};
MeshSolid solid_of(const Mesh& mesh);

}  // namespace ulna
