// The meshes and materials that the geoms of an MJCF file name.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "io/robot/mjcf_defaults.hpp"
#include "io/robot/mjcf_geometry.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

class MjcfAssets {
 public:
  MjcfAssets(const XmlElement& root, const MjcfDefaults& defaults, const MjcfCompiler& compiler);

  std::optional<Colour> colour(const std::string& material) const;
  /// A mesh at the place of a geom and in its colour; nothing for a mesh that is no file.
  std::optional<Shape> shape(const std::string& mesh, const MjcfGeom& geom) const;

 private:
  struct MeshAsset {
    std::string file;
    std::array<double, 3> scale;
    Pose<double> reference;  // of the file's frame, which is to be the mesh's
  };
  void add_mesh(const XmlElement& mesh, const MjcfCompiler& compiler, const std::string& robot_file);

  std::map<std::string, MeshAsset, std::less<>> meshes_;
  std::map<std::string, Colour, std::less<>> materials_;
};

}  // namespace ulna
#pragma GCC visibility pop
