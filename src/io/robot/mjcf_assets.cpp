#include "io/robot/mjcf_assets.hpp"

#include <filesystem>

#include "io/robot/mesh_file.hpp"
#include "io/robot/xml_rotation.hpp"
#include "io/xml/xml_numbers.hpp"

namespace ulna {

MjcfAssets::MjcfAssets(const XmlElement& root, const MjcfDefaults& defaults, const MjcfCompiler& compiler) {
  for (const XmlElement& section : root.children) {
    if (section.name != "asset") continue;
    for (const XmlElement& asset : section.children) {
      if (asset.name == "mesh") add_mesh(defaults.completed(asset, ""), compiler, *root.file);
      if (asset.name != "material") continue;
      if (const auto colour = mjcf_colour(defaults.completed(asset, "")))
        materials_.emplace(asset.attribute("name"), *colour);
    }
  }
}

void MjcfAssets::add_mesh(const XmlElement& mesh, const MjcfCompiler& compiler, const std::string& robot_file) {
  namespace fs = std::filesystem;
  const std::string* file = mesh.find("file");
  if (file == nullptr) return;
  const std::string name = mesh.find("name") != nullptr ? mesh.attribute("name") : fs::path(*file).stem().string();
  const Vec3<double> scale = vec3_or({1, 1, 1}, mesh, "scale");
  Pose<double> reference = Pose<double>::identity();
  // MuJoCo takes the reference off before it scales; with a turn that is the same only if all axes scale alike.
  const Vec3<double> origin = vec3_or(reference.p, mesh, "refpos");
  reference.p = {scale.x * origin.x, scale.y * origin.y, scale.z * origin.z};
  if (const auto q = find_numbers(mesh, "refquat", 4, 4))
    reference.R = rotation_of_any_quaternion(mesh, (*q)[1], (*q)[2], (*q)[3], (*q)[0]);
  const std::string path = (fs::path(compiler.mesh_folder) / *file).string();
  meshes_.emplace(name, MeshAsset{kept_mesh_name(path, robot_file), {scale.x, scale.y, scale.z}, reference});
}

std::optional<Colour> MjcfAssets::colour(const std::string& material) const {
  const auto found = materials_.find(material);
  return found == materials_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<Shape> MjcfAssets::shape(const std::string& mesh, const MjcfGeom& geom) const {
  const auto found = meshes_.find(mesh);
  if (found == meshes_.end()) return std::nullopt;
  const MeshAsset& asset = found->second;
  return Shape{Shape::Kind::mesh, geom.pose * inverse(asset.reference), asset.scale, geom.colour, asset.file};
}

}  // namespace ulna
