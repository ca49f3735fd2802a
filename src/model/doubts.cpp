#include "doubts.hpp"

#include <algorithm>
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
  bool is_known = false;

  /// Within what robots of all kinds have: toys and space arms, steel and light-weight.
  bool is_usual() const { return density > 0.03 && density < 2e4 && gyration > 0.01 && gyration < 5.0; }
  /// How far from an arm as it should be.
  double strangeness() const {
    return std::fabs(std::log(density / 400.0)) / 3.0 + std::fabs(std::log(gyration / 0.25));
  }
};

Evidence evidence(const Graph& graph, const Measures& measures, const LikelyUnits& units) {
  std::vector<double> densities, radii;
  for (const std::size_t b : measures.moving) {
    const GraphBody& body = graph.bodies[b];
    const double length = units.length * measures.length(body, b), mass = units.mass * body.mass.mass;
    const double radius = std::sqrt(units.inertia / units.mass) * gyration(body.mass);
    const double size = std::max({units.length * measures.size[b], units.length * norm(body.mass.com), 2.0 * radius});
    if (size > 0.0) densities.push_back(mass / (size * size * size));
    if (length > 0.0 && radius > 0.0) radii.push_back(radius / length);
  }
  return {median(densities), median(radii), !densities.empty() && !radii.empty()};
}

}  // namespace

LikelyUnits likely_units(const Graph& graph, const Measures& measures) {
  struct Unit {
    double factor;
    const char* name;
  };
  const Evidence given = evidence(graph, measures, {});
  LikelyUnits best;
  best.density = given.density;
  best.gyration = given.gyration;
  if (!given.is_known || given.is_usual()) return best;
  double least = std::log(20.0);  // what no unit mends is another fault
  for (const double length : {1.0, 1e-3}) {
    for (const double mass : {1.0, 1e-3}) {
      for (const Unit& inertia : {Unit{1.0, "kg m²"}, {1e-4, "kg cm²"}, {1e-6, "kg mm²"}, {1e-9, "g mm²"}}) {
        LikelyUnits units{length, mass, inertia.factor, inertia.name, given.density, given.gyration};
        const Evidence then = evidence(graph, measures, units);
        // Of two that fit alike the one that changes less.
        const double changes = 0.1 * ((length != 1.0) + (mass != 1.0) + (inertia.factor != 1.0));
        if (!then.is_usual() || then.strangeness() + changes >= least) continue;
        least = then.strangeness() + changes;
        best = units;
      }
    }
  }
  return best;
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

std::vector<std::size_t> placeholders(const Graph& graph, const Measures& measures) {
  using Numbers = std::pair<double, double>;  // mass and moment
  std::map<Numbers, std::vector<std::size_t>> alike;
  for (const std::size_t index : measures.moving) {
    const MassData& m = graph.bodies[index].mass;
    const Sym3<double>& i = m.inertia;
    const bool is_ball = i.xx == i.yy && i.yy == i.zz && i.xy == 0.0 && i.xz == 0.0 && i.yz == 0.0;
    if (is_ball && i.xx > 0.0 && norm(m.com) == 0.0) alike[{m.mass, i.xx}].push_back(index);
  }
  std::vector<std::size_t> most;
  for (const auto& [numbers, links] : alike)
    if (links.size() >= 3 && 2 * links.size() > measures.moving.size()) most = links;
  return most;
}

bool is_left_handed(const Mat3<double>& R) {
  const Vec3<double> x = R.column_x(), y = R.column_y(), z = R.column_z();
  const double tolerance = 1e-6;
  return std::fabs(norm(x) - 1.0) < tolerance && std::fabs(norm(y) - 1.0) < tolerance &&
         std::fabs(dot(x, y)) < tolerance && norm(z + cross(x, y)) < tolerance;
}

}  // namespace ulna
