// The readers of mesh files, one file each, and the bounds that they share.
#pragma once

#include "ulna/io/mesh/mesh.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

/// Binary and text.
Mesh parse_stl(std::string_view bytes, const std::string& file);
/// Wavefront, with the colours (Kd) of the material files that it names.
Mesh parse_obj(std::string_view text, const std::string& file);
/// COLLADA 1.4 and 1.5: the geometries of its scene, placed, with their diffuse colours. The axis that it calls up is
/// not heeded, as ROS does not heed it.
Mesh parse_dae(std::string_view text, const std::string& file);

/// What is simplified in a second or two.
inline constexpr std::size_t most_mesh_triangles = 2'000'000;

/// Whether a coordinate is finite and its cube a number still.
inline bool is_near(double x) {
  constexpr double farthest = 1e9;
  return x > -farthest && x < farthest;
}

/// Throw InputError.
void expect_finite_points(const MeshPart& part, const std::string& file);
void expect_triangles(std::size_t count, const std::string& file);

}  // namespace ulna
#pragma GCC visibility pop
