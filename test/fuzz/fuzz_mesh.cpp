// Mesh files: read in each format, measured and simplified.
#include "target.hpp"
#include "ulna/io/mesh/mesh.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ulna;
  const std::string bytes = fuzz::text_of(data, size);
  for (const MeshFormat& format : mesh_formats()) {
    fuzz::try_input([&] {
      const Mesh mesh = format.parse(bytes, "/nowhere/mesh");
      const MeshSolid solid = solid_of(mesh);
      fuzz::expect(solid.volume >= 0.0, "no volume is negative");
      for (const MeshPart& part : simplified(mesh, 20).parts)
        for (const auto& triangle : part.triangles)
          for (const std::uint32_t corner : triangle) fuzz::expect(corner < part.points.size(), "corners are points");
    });
  }
  return 0;
}
