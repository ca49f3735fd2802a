#include "doubts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
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
    found.mass += body.mass.mass;
    for (const Shape& shape : body.shapes)
      if (shape.kind != Shape::Kind::mesh)
        grow(own, norm(shape.pose.p) + std::max({shape.size[0], shape.size[1], shape.size[2]}));
    if (node.joint < 0) continue;
    const GraphJoint& joint = graph.joints[static_cast<std::size_t>(node.joint)];
    if (has_one_degree(joint.kind) && !turns(joint.kind)) {
      found.is_known = found.is_known && std::isfinite(joint.limits.lower) && std::isfinite(joint.limits.upper);
      grow(own, norm(joint.in_child.p) + widest_limit(joint));
    }
    grow(own, norm(joint.in_child.p));
    grow(static_cast<std::size_t>(tree.nodes[static_cast<std::size_t>(node.parent)].body), norm(joint.in_parent.p));
  }
  for (const GraphFrame& frame : graph.frames)
    if (const auto body = index.find(frame.body); body != index.end()) grow(body->second, norm(frame.pose.p));
  for (const double size : found.size) found.reach += size;
  return found;
}

bool has_grams(const Measures& m) {
  return m.is_known && m.reach > 0.0 && m.mass > 1500.0 * m.reach * m.reach * m.reach && !has_millimetres(m);
}

bool has_millimetres(const Measures& m) {
  const auto links = static_cast<double>(m.size.size());
  const double length = m.reach / links, mass = m.mass / links;
  return length > 100.0 || (m.is_known && mass > 0.0 && mass < 1e-5 * length * length * length);
}

double widest_limit(const GraphJoint& joint) {
  double widest = 0.0;
  for (const double limit : {joint.limits.lower, joint.limits.upper})
    if (std::isfinite(limit)) widest = std::max(widest, std::fabs(limit));
  return widest;
}

bool has_degrees(const GraphJoint& joint) {
  return has_one_degree(joint.kind) && turns(joint.kind) && widest_limit(joint) > 45.0;
}

double gyration(const MassData& mass) {
  const double largest = std::max({mass.inertia.xx, mass.inertia.yy, mass.inertia.zz, 0.0});
  return mass.mass > 0.0 ? std::sqrt(largest / mass.mass) : 0.0;
}

bool has_far_gyration(const MassData& mass, double length) { return length > 0.0 && gyration(mass) > 10.0 * length; }

InertiaUnit likely_unit(const Graph& graph, const Measures& measures) {
  constexpr double usual = 0.2;  // radius of gyration over length
  std::vector<double> ratios;
  for (std::size_t b = 0; b < measures.size.size(); ++b) {
    const MassData& mass = graph.bodies[b].mass;
    const double length = measures.length(graph.bodies[b], b);
    if (has_far_gyration(mass, length)) ratios.push_back(gyration(mass) / length);
  }
  InertiaUnit best;
  double least = std::log(15.0);  // farther off is another fault
  for (const InertiaUnit& unit : {InertiaUnit{1e-3, "g m²"}, {1e-4, "kg cm²"}, {1e-6, "kg mm²"}, {1e-9, "g mm²"}}) {
    double worst = 0.0;
    for (const double ratio : ratios)
      worst = std::max(worst, std::fabs(std::log(ratio * std::sqrt(unit.factor) / usual)));
    if (ratios.empty() || worst > least) continue;
    least = worst;
    best = unit;
  }
  return best;
}

Sym3<double> moved_to_centre(const MassData& mass) {
  const Vec3<double>& c = mass.com;
  const double m = mass.mass, square = dot(c, c);
  return mass.inertia - Sym3<double>{m * (square - c.x * c.x), m * (square - c.y * c.y), m * (square - c.z * c.z),
                                     -m * c.x * c.y,           -m * c.x * c.z,           -m * c.y * c.z};
}

bool are_about_origins(const Graph& graph) {
  constexpr double clear = 0.4, slight = 1e-3;  // shares of m c²; a rod about its end has 3/4, bulky links half
  bool is_clear = false;
  for (const GraphBody& body : graph.bodies) {
    const MassData& mass = body.mass;
    if (!(mass.mass > 0.0)) continue;
    const PrincipalMoments given = principal_moments(mass.inertia), moved = principal_moments(moved_to_centre(mass));
    const double share = mass.mass * dot(mass.com, mass.com) / given.moments.z;
    if (!(share > slight)) continue;
    if (!(moved.moments.x > given.rounding) || moved.is_impossible()) return false;
    is_clear = is_clear || share > clear;
  }
  return is_clear;
}

bool is_left_handed(const Mat3<double>& R) {
  const Vec3<double> x = R.column_x(), y = R.column_y(), z = R.column_z();
  const double tolerance = 1e-6;
  return std::fabs(norm(x) - 1.0) < tolerance && std::fabs(norm(y) - 1.0) < tolerance &&
         std::fabs(dot(x, y)) < tolerance && norm(z + cross(x, y)) < tolerance;
}

}  // namespace ulna
