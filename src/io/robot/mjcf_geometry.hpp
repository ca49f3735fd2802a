// What MJCF's <compiler> decides for all of a file, places of elements, and geoms as solids with mass.
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <string>

#include "io/robot/left_out.hpp"
#include "io/xml/xml.hpp"
#include "ulna/model/graph.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

struct MjcfCompiler {
  bool degrees = true;
  std::string euler_order = "xyz";  // small letters: about the turned axes
  bool auto_limits = true;          // a range that is given holds
  enum class FromGeoms { never, missing, always } from_geoms = FromGeoms::missing;
  std::array<double, 2> groups{0, 5};  // of geoms that have mass
  double least_mass = 0.0, least_inertia = 0.0, total_mass = 0.0;
  bool balances = false;
  std::string mesh_folder{};  // from the folder of the file

  double angle(double written) const;
};

/// Of all <compiler> elements. Throws InputError for what it cannot honour.
MjcfCompiler mjcf_compiler(const XmlElement& root, LeftOut& left_out);

/// Where an element stands in its body, however it says so.
Pose<double> mjcf_pose(const XmlElement& element, const MjcfCompiler& compiler);

/// The shortest turn from z to a direction.
Mat3<double> turn_from_z(const Vec3<double>& direction);

struct MjcfGeom {
  enum class Type { plane, sphere, capsule, ellipsoid, cylinder, box, mesh } type = Type::sphere;
  std::array<double, 3> size{};  // as MJCF has it: halves
  Pose<double> pose = Pose<double>::identity();
  int group = 0;
  std::optional<double> mass;  // if it is given
  double density = 1000.0;
  bool is_shell = false;
  std::optional<Colour> colour{};

  bool is_massless() const { return mass ? *mass == 0.0 : density == 0.0; }
};

/// Of an element completed with its defaults.
MjcfGeom mjcf_geom(const XmlElement& element, const MjcfCompiler& compiler);

/// About its centre in its own axes, com at its origin. Of solids alone.
MassData mass_of_geom(const MjcfGeom& geom);

/// The rgba of an element, if it has one.
std::optional<Colour> mjcf_colour(const XmlElement& element);

/// The shapes that draw it: none, one, or the three of a capsule. Meshes are the reader's, who knows the assets.
std::vector<Shape> shapes_of_geom(const MjcfGeom& geom);

}  // namespace ulna
#pragma GCC visibility pop
