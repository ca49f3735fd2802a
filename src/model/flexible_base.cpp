#include "ulna/model/flexible_base.hpp"

#include <array>
#include <cmath>
#include <iterator>

#include "opened.hpp"

namespace ulna {

namespace {

struct Direction {
  const char* name;
  JointKind kind;
  Vec3<double> axis;
  double stiffness, damping;
};

std::array<Direction, 6> directions_of(const FlexibleBase& base) {
  const Vec3<double> x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  const Vec3<double>&s = base.slide, &t = base.turn, &sd = base.slide_damping, &td = base.turn_damping;
  return {{{"base_slide_x", JointKind::prismatic, x, s.x, sd.x},
           {"base_slide_y", JointKind::prismatic, y, s.y, sd.y},
           {"base_slide_z", JointKind::prismatic, z, s.z, sd.z},
           {"base_turn_x", JointKind::revolute, x, t.x, td.x},
           {"base_turn_y", JointKind::revolute, y, t.y, td.y},
           {"base_turn_z", JointKind::revolute, z, t.z, td.z}}};
}

}  // namespace

void add_flexible_base(Graph& graph, const FlexibleBase& base) {
  const auto refuse = [&](const std::string& reason, const char* remedy) {
    throw InputError({{Finding::Severity::error, "flexible_base", reason, remedy, graph.source, false}});
  };
  if (graph.free_base) refuse("the base floats", "leave one of the two out");
  if (find_body(graph, "ground") != nullptr)
    refuse("a link is called 'ground', as what the base stands on", "rename it");
  add_base(graph);
  const std::string child = root_of(graph).name;
  if (has_mass_or_inertia(base.mass)) {
    MassData& own = find_body(graph, child)->mass;
    if (has_mass_or_inertia(own)) refuse("link '" + child + "' has mass data already", "leave one of them out");
    own = base.mass;
  }
  std::vector<GraphJoint> joints;
  graph.bodies.insert(graph.bodies.begin(), {.name = "ground", .source = graph.source});
  for (const Direction& along : directions_of(base)) {
    for (const double x : {along.stiffness, along.damping})
      if (!(x >= 0.0) || !std::isfinite(x))
        refuse("a stiffness or damping is negative or not a number", "give N/m and N·m/rad; 0 where it is stiff");
    if (along.stiffness == 0.0 && along.damping != 0.0)
      refuse(std::string("has a damping and no stiffness for ") + along.name, "give both");
    if (along.stiffness == 0.0) continue;
    GraphJoint joint{.name = along.name, .kind = along.kind};
    joint.parent = joints.empty() ? "ground" : joints.back().child;
    joint.child = joint.name + "_stage";
    joint.axis = along.axis;
    joint.passive = {.viscous = along.damping, .stiffness = along.stiffness};
    joint.source = graph.source;
    joints.push_back(std::move(joint));
  }
  if (joints.empty()) refuse("is stiff in all directions", "give a stiffness: slide = [x, y, z] or turn = [x, y, z]");
  for (std::size_t k = 0; k + 1 < joints.size(); ++k)
    graph.bodies.push_back({.name = joints[k].child, .source = graph.source});
  joints.back().child = child;
  joints.front().in_parent = base.pose;
  joints.back().in_child = base.pose;
  graph.joints.insert(graph.joints.begin(), std::make_move_iterator(joints.begin()),
                      std::make_move_iterator(joints.end()));
}

}  // namespace ulna
