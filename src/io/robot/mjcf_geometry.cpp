#include "io/robot/mjcf_geometry.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "io/robot/xml_rotation.hpp"
#include "io/xml/xml_numbers.hpp"
#include "spatial/solid_inertia.hpp"
#include "ulna/spatial/lie.hpp"

namespace ulna {

namespace {

constexpr double pi = std::numbers::pi;

bool mjcf_flag(const XmlElement& element, std::string_view key, bool fallback) {
  const std::string* word = element.find(key);
  if (word == nullptr) return fallback;
  if (*word != "true" && *word != "false")
    throw InputError(element.source(),
                     fmt::format("'{}' of <{}> is '{}'; write true or false", key, element.name, *word));
  return *word == "true";
}

MjcfCompiler::FromGeoms from_geoms_of(const XmlElement& element, MjcfCompiler::FromGeoms before) {
  const std::string* word = element.find("inertiafromgeom");
  if (word == nullptr) return before;
  if (*word == "auto") return MjcfCompiler::FromGeoms::missing;
  return mjcf_flag(element, "inertiafromgeom", false) ? MjcfCompiler::FromGeoms::always
                                                      : MjcfCompiler::FromGeoms::never;
}

void read_euler_order(const XmlElement& element, std::string& order) {
  if (const std::string* word = element.find("eulerseq")) order = *word;
  if (order.size() != 3 || order.find_first_not_of("xyzXYZ") != std::string::npos)
    throw InputError(element.source(),
                     fmt::format("'eulerseq' of <compiler> is '{}'; give three of x, y, z, X, Y, Z", order));
}

void read_compiler(const XmlElement& element, MjcfCompiler& compiler) {
  if (element.attribute("coordinate") == "global")
    throw InputError(element.source(), "global coordinates are MuJoCo's of before 2023; save the file with local ones");
  if (const std::string* angle = element.find("angle")) {
    if (*angle != "degree" && *angle != "radian")
      throw InputError(element.source(), fmt::format("'angle' of <compiler> is '{}'; write degree or radian", *angle));
    compiler.degrees = *angle == "degree";
  }
  read_euler_order(element, compiler.euler_order);
  compiler.auto_limits = mjcf_flag(element, "autolimits", compiler.auto_limits);
  compiler.from_geoms = from_geoms_of(element, compiler.from_geoms);
  compiler.balances = mjcf_flag(element, "balanceinertia", compiler.balances);
  if (const auto range = find_numbers(element, "inertiagrouprange", 2, 2)) compiler.groups = {(*range)[0], (*range)[1]};
  compiler.least_mass = number_or(compiler.least_mass, element, "boundmass");
  compiler.least_inertia = number_or(compiler.least_inertia, element, "boundinertia");
  compiler.total_mass = number_or(compiler.total_mass, element, "settotalmass");
  for (const std::string_view key : {"assetdir", "meshdir"})
    if (const std::string* folder = element.find(key)) compiler.mesh_folder = *folder;
}

Mat3<double> rotation_of_euler(const Vec3<double>& angles, const MjcfCompiler& compiler) {
  Mat3<double> R = Mat3<double>::identity();
  const std::array<double, 3> written{angles.x, angles.y, angles.z};
  for (std::size_t i = 0; i < 3; ++i) {
    const char axis = compiler.euler_order[i];
    const Turn<double> turn = exact_turn(compiler.angle(written[i]));
    const Mat3<double> step = axis == 'x' || axis == 'X'   ? rotation_x(turn)
                              : axis == 'y' || axis == 'Y' ? rotation_y(turn)
                                                           : rotation_z(turn);
    R = axis >= 'a' ? R * step : step * R;
  }
  return R;
}

Vec3<double> direction(const Vec3<double>& a, const XmlElement& element, std::string_view key) {
  const double length = norm(a);
  if (!(length > 1e-12))
    throw InputError(element.source(), fmt::format("'{}' of <{}> has no direction; give one", key, element.name));
  return (1.0 / length) * a;
}

Mat3<double> rotation_of_axes(const std::vector<double>& xy, const XmlElement& element) {
  const Vec3<double> x = direction({xy[0], xy[1], xy[2]}, element, "xyaxes");
  const Vec3<double> y_written{xy[3], xy[4], xy[5]};
  const Vec3<double> y = direction(y_written - dot(x, y_written) * x, element, "xyaxes");
  return Mat3<double>::from_columns(x, y, cross(x, y));
}

Mat3<double> mjcf_rotation(const XmlElement& element, const MjcfCompiler& compiler) {
  if (const auto q = find_numbers(element, "quat", 4, 4))
    return rotation_of_any_quaternion(element, (*q)[1], (*q)[2], (*q)[3], (*q)[0]);
  if (const auto a = find_numbers(element, "axisangle", 4, 4)) {
    const double angle = compiler.angle((*a)[3]);
    return exp_rotation(angle * direction({(*a)[0], (*a)[1], (*a)[2]}, element, "axisangle"));
  }
  if (const auto e = find_numbers(element, "euler", 3, 3))
    return rotation_of_euler({(*e)[0], (*e)[1], (*e)[2]}, compiler);
  if (const auto axes = find_numbers(element, "xyaxes", 6, 6)) return rotation_of_axes(*axes, element);
  if (const auto z = find_numbers(element, "zaxis", 3, 3))
    return turn_from_z(direction({(*z)[0], (*z)[1], (*z)[2]}, element, "zaxis"));
  return Mat3<double>::identity();
}

std::optional<MjcfGeom::Type> type_of_geom(std::string_view word) {
  using Type = MjcfGeom::Type;
  for (const auto& [known, type] : {std::pair{"plane", Type::plane},
                                    {"hfield", Type::plane},
                                    {"sphere", Type::sphere},
                                    {"capsule", Type::capsule},
                                    {"ellipsoid", Type::ellipsoid},
                                    {"cylinder", Type::cylinder},
                                    {"box", Type::box},
                                    {"mesh", Type::mesh},
                                    {"sdf", Type::mesh}})
    if (word == known) return type;
  return std::nullopt;
}

/// How many numbers of its size it needs.
std::size_t sizes_of(MjcfGeom::Type type) {
  using Type = MjcfGeom::Type;
  if (type == Type::sphere) return 1;
  if (type == Type::capsule || type == Type::cylinder) return 2;
  return type == Type::ellipsoid || type == Type::box ? 3 : 0;
}

/// `fromto` places a long geom, and its own z, between two points.
void stretch(const XmlElement& element, const std::vector<double>& ends, MjcfGeom& geom) {
  const Vec3<double> from{ends[0], ends[1], ends[2]}, to{ends[3], ends[4], ends[5]};
  const double half = 0.5 * norm(to - from);
  geom.pose = {turn_from_z(direction(from - to, element, "fromto")), 0.5 * (from + to)};
  if (sizes_of(geom.type) == 3)
    geom.size = {geom.size[0], geom.size[0], half};
  else
    geom.size[1] = half;
}

double volume_of(const MjcfGeom& geom) {
  const auto& [a, b, c] = geom.size;
  switch (geom.type) {
    case MjcfGeom::Type::sphere: return 4.0 / 3.0 * pi * a * a * a;
    case MjcfGeom::Type::capsule: return pi * a * a * (2.0 * b + 4.0 / 3.0 * a);
    case MjcfGeom::Type::cylinder: return 2.0 * pi * a * a * b;
    case MjcfGeom::Type::ellipsoid: return 4.0 / 3.0 * pi * a * b * c;
    case MjcfGeom::Type::box: return 8.0 * a * b * c;
    default: return 0.0;
  }
}

/// A cylinder between two half balls.
Sym3<double> inertia_of_capsule(double mass, double r, double half) {
  const double h = 2.0 * half, balls = mass * 4.0 * r / (4.0 * r + 3.0 * h), middle = mass - balls;
  const double across = middle * (3.0 * r * r + h * h) / 12.0 + balls * (0.4 * r * r + h * (3.0 * r + 2.0 * h) / 8.0);
  return {across, across, 0.5 * middle * r * r + 0.4 * balls * r * r, 0, 0, 0};
}

Sym3<double> inertia_of_ellipsoid(double mass, double a, double b, double c) {
  const double k = mass / 5.0;
  return {k * (b * b + c * c), k * (a * a + c * c), k * (a * a + b * b), 0, 0, 0};
}

}  // namespace

double MjcfCompiler::angle(double written) const { return degrees ? written * (pi / 180.0) : written; }

MjcfCompiler mjcf_compiler(const XmlElement& root, LeftOut& left_out) {
  MjcfCompiler compiler;
  for (const XmlElement& child : root.children) {
    if (child.name != "compiler") continue;
    read_compiler(child, compiler);
    if (child.child("lengthrange") != nullptr) left_out.add("parts of <compiler> are left out", "<lengthrange>");
  }
  return compiler;
}

Mat3<double> turn_from_z(const Vec3<double>& direction) {
  const Vec3<double> across = cross(Vec3<double>{0, 0, 1}, direction);
  const double sine = norm(across);
  if (sine < 1e-10) return direction.z > 0 ? Mat3<double>::identity() : rotation_x(Turn<double>{-1.0, 0.0});
  return exp_rotation(std::atan2(sine, direction.z) / sine * across);
}

Pose<double> mjcf_pose(const XmlElement& element, const MjcfCompiler& compiler) {
  return {mjcf_rotation(element, compiler), vec3_or(Vec3<double>::zero(), element, "pos")};
}

MjcfGeom mjcf_geom(const XmlElement& element, const MjcfCompiler& compiler) {
  MjcfGeom geom;
  const std::string word = element.find("type") != nullptr ? element.attribute("type") : "sphere";
  const auto type = type_of_geom(word);
  if (!type) throw InputError(element.source(), fmt::format("geoms of type '{}' are not known; leave it out", word));
  geom.type = element.find("mesh") != nullptr ? MjcfGeom::Type::mesh : *type;
  geom.pose = mjcf_pose(element, compiler);
  geom.group = static_cast<int>(std::clamp(number_or(0, element, "group"), -1e6, 1e6));
  if (element.find("mass") != nullptr) geom.mass = number_of(element, "mass");
  geom.density = number_or(geom.density, element, "density");
  geom.is_shell = mjcf_flag(element, "shellinertia", false);
  geom.colour = mjcf_colour(element);
  const auto ends = find_numbers(element, "fromto", 6, 6);
  const std::size_t needed = sizes_of(geom.type);
  if (needed == 0) return geom;
  const std::vector<double> size = find_numbers(element, "size", 1, 3).value_or(std::vector<double>{});
  if (size.size() < (ends ? 1 : needed))
    throw InputError(element.source(),
                     fmt::format("a {} has {} numbers of 'size'; give {}", word, size.size(), needed));
  std::copy(size.begin(), size.end(), geom.size.begin());
  if (ends && needed > 1) stretch(element, *ends, geom);
  for (std::size_t k = 0; k < needed; ++k)
    if (!(geom.size[k] > 0.0))
      throw InputError(element.source(), fmt::format("the size of a {} is not positive", word));
  return geom;
}

MassData mass_of_geom(const MjcfGeom& geom) {
  const double mass = geom.mass ? *geom.mass : geom.density * volume_of(geom);
  const auto& [a, b, c] = geom.size;
  switch (geom.type) {
    case MjcfGeom::Type::sphere: return {mass, {0, 0, 0}, inertia_of_ball(mass, a)};
    case MjcfGeom::Type::capsule: return {mass, {0, 0, 0}, inertia_of_capsule(mass, a, b)};
    case MjcfGeom::Type::cylinder: return {mass, {0, 0, 0}, inertia_of_cylinder(mass, a, 2.0 * b)};
    case MjcfGeom::Type::ellipsoid: return {mass, {0, 0, 0}, inertia_of_ellipsoid(mass, a, b, c)};
    case MjcfGeom::Type::box: return {mass, {0, 0, 0}, inertia_of_box(mass, 2.0 * a, 2.0 * b, 2.0 * c)};
    default: return {};
  }
}

std::optional<Colour> mjcf_colour(const XmlElement& element) {
  const auto c = find_numbers(element, "rgba", 3, 4);
  if (!c) return std::nullopt;
  return Colour{(*c)[0], (*c)[1], (*c)[2], c->size() == 4 ? (*c)[3] : 1.0};
}

std::vector<Shape> shapes_of_geom(const MjcfGeom& geom) {
  const double a = geom.size[0], b = geom.size[1], c = geom.size[2];
  const auto end = [&](double z) {
    const Pose<double> pose = geom.pose * Pose<double>{Mat3<double>::identity(), {0, 0, z}};
    return Shape{Shape::Kind::sphere, pose, {a, 0, 0}, geom.colour, {}};
  };
  const Shape tube{Shape::Kind::cylinder, geom.pose, {a, 2.0 * b, 0}, geom.colour, {}};
  switch (geom.type) {
    case MjcfGeom::Type::sphere: return {end(0.0)};
    case MjcfGeom::Type::cylinder: return {tube};
    case MjcfGeom::Type::capsule: return {tube, end(b), end(-b)};
    case MjcfGeom::Type::box: return {{Shape::Kind::box, geom.pose, {2.0 * a, 2.0 * b, 2.0 * c}, geom.colour, {}}};
    default: return {};
  }
}

}  // namespace ulna
