#include "ulna/io/robot/complete.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <set>

#include "spatial/solid_inertia.hpp"
#include "ulna/io/mesh/mesh.hpp"
#include "ulna/io/robot/mesh_file.hpp"
#include "ulna/spatial/inertia.hpp"

namespace ulna {

namespace {

/// A shape filled with a density of one, about its centre in its own axes; `mass` is its volume.
MassData solid_box(double x, double y, double z) {
  const double volume = x * y * z;
  return {volume, {0, 0, 0}, inertia_of_box(volume, x, y, z)};
}

MassData solid_cylinder(double radius, double length) {
  const double volume = std::numbers::pi * radius * radius * length;
  return {volume, {0, 0, 0}, inertia_of_cylinder(volume, radius, length)};
}

MassData solid_sphere(double radius) {
  const double volume = 4.0 / 3.0 * std::numbers::pi * radius * radius * radius;
  return {volume, {0, 0, 0}, inertia_of_ball(volume, radius)};
}

MassData solid_mesh(const Shape& shape, const GraphBody& body) {
  const std::optional<std::string> file = find_mesh(shape, body);
  if (!file) {
    throw InputError(body.source, fmt::format("the mesh '{}' of link '{}' is not found, so its mass cannot be guessed; "
                                              "name the folder of its package, or give the mass",
                                              shape.mesh, body.name));
  }
  Mesh mesh = load_mesh(*file);
  for (MeshPart& part : mesh.parts)
    for (Vec3<double>& p : part.points) p = {shape.size[0] * p.x, shape.size[1] * p.y, shape.size[2] * p.z};
  const MeshSolid solid = solid_of(mesh);
  return {solid.volume, solid.centre, solid.inertia};
}

MassData solid_of_shape(const Shape& shape, const GraphBody& body) {
  switch (shape.kind) {
    case Shape::Kind::box: return solid_box(shape.size[0], shape.size[1], shape.size[2]);
    case Shape::Kind::cylinder: return solid_cylinder(shape.size[0], shape.size[1]);
    case Shape::Kind::sphere: return solid_sphere(shape.size[0]);
    case Shape::Kind::mesh: return solid_mesh(shape, body);
  }
  return {};
}

/// All shapes of a body together, about their common centre in its axes; `mass` is their volume.
MassData solid_of_body(const GraphBody& body) {
  RigidInertia<double> sum = RigidInertia<double>::zero();
  for (const Shape& shape : body.shapes) {
    const MassData own = solid_of_shape(shape, body);
    if (own.mass > 0.0) sum += shape.pose.to_outer(RigidInertia<double>::from_centre(own.mass, own.com, own.inertia));
  }
  if (!(sum.mass > 0.0)) return {};
  MassData all{sum.mass, (1.0 / sum.mass) * sum.h, {}};
  const RigidInertia<double> point = RigidInertia<double>::from_centre(all.mass, all.com, Sym3<double>::zero());
  all.inertia = sum.about_origin - point.about_origin;
  return all;
}

}  // namespace

Completion complete_masses(Graph& graph, double total_mass) {
  if (!(total_mass > 0.0) || !std::isfinite(total_mass)) throw InputError("the robot's mass must be positive");
  Completion done;
  std::vector<std::pair<GraphBody*, MassData>> solids;
  double known = 0.0, volume = 0.0;
  std::set<std::string_view> carried;
  for (const GraphJoint& joint : graph.joints) carried.insert(joint.child);
  for (GraphBody& body : graph.bodies) {
    known += body.mass.mass;
    // What stands on the ground of MJCF and TOML is furniture.
    const bool is_ground = !carried.contains(body.name) && (body.name == "world" || body.name == "base");
    if (has_mass_or_inertia(body.mass) || (is_ground && !graph.free_base)) continue;
    const MassData solid = solid_of_body(body);
    if (solid.mass > 0.0)
      solids.emplace_back(&body, solid);
    else if (carried.contains(body.name))
      done.shapeless.push_back(body.name);
    volume += solid.mass;
  }
  if (solids.empty())
    throw InputError(graph.source, "no link without mass has a shape to guess it from; nothing is to be completed");
  if (!(total_mass > known)) {
    throw InputError(graph.source,
                     fmt::format("the links that have masses weigh {:.6g} kg already, and the whole robot "
                                 "is to weigh {:.6g} kg; give more, or correct them",
                                 known, total_mass));
  }
  if (!std::isfinite(volume))
    throw InputError(graph.source, "the shapes are too large to be filled; check their sizes and the scales of meshes");
  done.density = (total_mass - known) / volume;
  for (auto& [body, solid] : solids) {
    const double d = done.density;
    const Sym3<double>& i = solid.inertia;
    body->mass = {d * solid.mass, solid.com, {d * i.xx, d * i.yy, d * i.zz, d * i.xy, d * i.xz, d * i.yz}};
    body->is_guessed = true;
    done.completed.push_back(body->name);
  }
  return done;
}

}  // namespace ulna
