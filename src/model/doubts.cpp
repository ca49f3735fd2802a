#include "doubts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <unordered_map>

#include "principal_moments.hpp"

namespace ulna {

double Measures::length(const GraphBody& body, std::size_t index) const {
  return size[index] > 0.02 * reach ? std::max(size[index], norm(body.mass.com)) : reach;
}

Measures measures_of(const Graph& graph, const Tree& tree) {
  Measures found;
  found.size.assign(graph.bodies.size(), 0.0);
  std::unordered_map<std::string_view, std::size_t> index;
  for (std::size_t b = 0; b < graph.bodies.size(); ++b) index.emplace(graph.bodies[b].name, b);
  const auto grow = [&](std::size_t body, double length) { found.size[body] = std::max(found.size[body], length); };
  for (const Tree::Node& node : tree.nodes) {
    const auto own = static_cast<std::size_t>(node.body);
    const GraphBody& body = graph.bodies[own];
    if (body.mass.mass > 0.0 && (node.joint >= 0 || graph.free_base)) found.moving.push_back(own);
    for (const Shape& shape : body.shapes)
      if (shape.kind != Shape::Kind::mesh)
        grow(own, norm(shape.pose.p) + std::max({shape.size[0], shape.size[1], shape.size[2]}));
    if (node.joint < 0) continue;
    const GraphJoint& joint = graph.joints[static_cast<std::size_t>(node.joint)];
    grow(own, norm(joint.in_child.p));
    grow(static_cast<std::size_t>(tree.nodes[static_cast<std::size_t>(node.parent)].body), norm(joint.in_parent.p));
  }
  for (const GraphFrame& frame : graph.frames)
    if (const auto body = index.find(frame.body); body != index.end()) grow(body->second, norm(frame.pose.p));
  for (const double size : found.size) found.reach += size;
  return found;
}

namespace {

double median(std::vector<double> values) {
  if (values.empty()) return 0.0;
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

struct Evidence {
  double density = 0.0, gyration = 0.0;
  double reach = 0.0, step = 0.0;  // of the whole arm, and of a link
  bool is_known = false;

  /// Within what robots of all kinds have: toys and space arms, steel and light-weight; the longer, the less thin.
  bool is_usual() const {
    return density > 0.03 * std::max(1.0, step * step) && density < 2e4 && gyration > 0.01 && gyration < 4.0;
  }
  /// Within what arms have, and not the next unit as well, which is ten times as much: 3.2 times the radius.
  bool is_an_arms() const {
    return density > 5.0 && density < 5e3 && gyration > 0.15 && gyration < 0.7 && reach > 0.1 && reach < 10.0;
  }
  /// How far from an arm as it should be.
  double strangeness() const {
    return std::fabs(std::log(density / 400.0)) / 3.0 + std::fabs(std::log(gyration / 0.25)) +
           std::fabs(std::log(reach / 1.5)) / 2.0;
  }
};

Evidence evidence(const Graph& graph, const Measures& measures, const Units& units) {
  std::vector<double> densities, radii;
  for (const std::size_t b : measures.moving) {
    const GraphBody& body = graph.bodies[b];
    const double length = units.length * measures.length(body, b), mass = units.mass * body.mass.mass;
    const double radius = std::sqrt(units.inertia / units.mass) * gyration(body.mass);
    const double size = std::max({units.length * measures.size[b], units.length * norm(body.mass.com), 2.0 * radius});
    if (size > 0.0) densities.push_back(mass / (size * size * size));
    if (length > 0.0 && radius > 0.0) radii.push_back(radius / length);
  }
  const double reach = units.length * measures.reach;
  return {median(densities), median(radii), reach, reach / static_cast<double>(measures.size.size()),
          !densities.empty() && !radii.empty()};
}

struct Unit {
  double factor;
  const char* name;
};

/// Every combination that is not SI.
std::vector<Units> other_units() {
  std::vector<Units> all;
  for (const Unit& length : {Unit{1.0, "metres"}, {1e-2, "centimetres"}, {1e-3, "millimetres"}}) {
    for (const Unit& mass : {Unit{1.0, "kilograms"}, {1e-3, "grams"}}) {
      for (const Unit& inertia :
           {Unit{1.0, "kg m²"}, {1e-3, "g m²"}, {1e-4, "kg cm²"}, {1e-6, "kg mm²"}, {1e-7, "g cm²"}, {1e-9, "g mm²"}})
        all.push_back({length.factor, mass.factor, inertia.factor, length.name, mass.name, inertia.name});
    }
  }
  all.erase(all.begin());
  return all;
}

/// In how many places who wrote the file left SI: another system of units is one, such as millimetres and kg mm².
int departures(const Units& units) {
  if (std::fabs(units.inertia / (units.mass * units.length * units.length) - 1.0) < 1e-9) return 1;
  return static_cast<int>(units.length != 1.0) + static_cast<int>(units.mass != 1.0) +
         static_cast<int>(units.inertia != 1.0);
}

}  // namespace

std::string Units::text() const {
  std::string out;
  const auto add = [&](double factor, const char* what, const char* name) {
    if (factor != 1.0) out += fmt::format("{}{} in {}", out.empty() ? "" : ", ", what, name);
  };
  add(length, "lengths", length_name);
  add(mass, "masses", mass_name);
  add(inertia, "inertias", inertia_name);
  return out;
}

LikelyUnits likely_units(const Graph& graph, const Measures& measures) {
  constexpr double alike = 0.7, departure = 0.3;  // of strangeness
  const Evidence given = evidence(graph, measures, {});
  LikelyUnits likely{{}, given.density, given.gyration};
  if (!given.is_known || given.is_usual() || !placeholders(graph, measures).links.empty()) return likely;
  std::vector<std::pair<double, Units>> found;
  for (const Units& units : other_units()) {
    const Evidence then = evidence(graph, measures, units);
    if (then.is_an_arms()) found.emplace_back(then.strangeness() + departure * departures(units), units);
  }
  const auto by_strangeness = [](const auto& a, const auto& b) { return a.first < b.first; };
  std::stable_sort(found.begin(), found.end(), by_strangeness);
  for (const auto& [strangeness, units] : found) {
    const bool is_as_simple = departures(units) <= departures(found.front().second);
    if (is_as_simple || strangeness < found.front().first + alike) likely.fitting.push_back(units);
  }
  return likely;
}

double widest_limit(const GraphJoint& joint) {
  double widest = 0.0;
  for (const double limit : {joint.limits.lower, joint.limits.upper})
    if (std::isfinite(limit)) widest = std::max(widest, std::fabs(limit));
  return widest;
}

bool has_degrees(const GraphJoint& joint) {
  const double widest = widest_limit(joint);
  return is_hinge(joint.kind) && widest > 45.0 && widest < 1000.0;
}

double gyration(const MassData& mass) {
  const double largest = std::max({mass.inertia.xx, mass.inertia.yy, mass.inertia.zz, 0.0});
  return mass.mass > 0.0 ? std::sqrt(largest / mass.mass) : 0.0;
}

Sym3<double> moved_to_centre(const MassData& mass) {
  const Vec3<double>& c = mass.com;
  const double m = mass.mass, square = dot(c, c);
  return mass.inertia - Sym3<double>{m * (square - c.x * c.x), m * (square - c.y * c.y), m * (square - c.z * c.z),
                                     -m * c.x * c.y,           -m * c.x * c.z,           -m * c.y * c.z};
}

bool are_about_origins(const Graph& graph) {
  constexpr double slight = 1e-3, some = 0.05, clear = 0.4;  // shares of m c²; a rod about its end has 3/4
  int with_some = 0, with_clear = 0;
  for (const GraphBody& body : graph.bodies) {
    const MassData& mass = body.mass;
    if (!(mass.mass > 0.0)) continue;
    const PrincipalMoments given = principal_moments(mass.inertia), moved = principal_moments(moved_to_centre(mass));
    const double share = mass.mass * dot(mass.com, mass.com) / given.moments.z;
    if (!(share > slight)) continue;
    if (!(moved.moments.x > given.rounding) || moved.is_impossible()) return false;
    with_some += share > some ? 1 : 0;
    with_clear += share > clear ? 1 : 0;
  }
  return with_some >= 3 && with_clear >= 1;
}

Placeholders placeholders(const Graph& graph, const Measures& measures) {
  std::map<std::array<double, 6>, std::vector<std::size_t>> alike;
  for (const std::size_t index : measures.moving) {
    const Sym3<double>& i = graph.bodies[index].mass.inertia;
    if (i.xx > 0.0) alike[{i.xx, i.yy, i.zz, i.xy, i.xz, i.yz}].push_back(index);
  }
  for (auto& [i, links] : alike) {
    if (links.size() < 3 || 2 * links.size() <= measures.moving.size()) continue;
    const double mass = graph.bodies[links.front()].mass.mass;
    const bool same = std::all_of(links.begin(), links.end(),
                                  [&](std::size_t index) { return graph.bodies[index].mass.mass == mass; });
    const bool is_ball = i[0] == i[1] && i[1] == i[2] && i[3] == 0.0 && i[4] == 0.0 && i[5] == 0.0;
    if (!same || is_ball) return {std::move(links), same};
  }
  return {};
}

bool is_left_handed(const Mat3<double>& R) {
  const Vec3<double> x = R.column_x(), y = R.column_y(), z = R.column_z();
  const double tolerance = 1e-6;
  return std::fabs(norm(x) - 1.0) < tolerance && std::fabs(norm(y) - 1.0) < tolerance &&
         std::fabs(dot(x, y)) < tolerance && norm(z + cross(x, y)) < tolerance;
}

}  // namespace ulna
