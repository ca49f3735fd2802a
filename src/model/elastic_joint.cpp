#include "ulna/model/elastic_joint.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace ulna {

void add_elastic_joint(Graph& graph, GraphJoint joint, const Elasticity& elasticity) {
  const auto refuse = [&](const char* reason, const char* remedy) {
    throw InputError({{Finding::Severity::error, joint.name, reason, remedy, joint.source, false}});
  };
  if (!has_one_degree(joint.kind)) refuse("is elastic and has not one degree of freedom", "use several joints");
  if (joint.passive.stiffness != 0.0) refuse("is elastic and has a spring", "leave one of them out");
  if (joint.mimic) refuse("is elastic and follows another joint", "leave one of them out");
  if (!(elasticity.stiffness > 0.0) || !std::isfinite(elasticity.stiffness))
    refuse("has a stiffness that is not positive", "give N·m/rad, or N/m where it slides");
  if (!(elasticity.damping >= 0.0) || !std::isfinite(elasticity.damping))
    refuse("has a damping that is negative or not a number", "give N·m·s/rad, or N·s/m where it slides");
  GraphJoint spring{.name = joint.name + "_spring", .kind = joint.kind, .parent = joint.name + "_rotor"};
  spring.child = joint.child;
  spring.in_child = joint.in_child;
  spring.axis = joint.axis;
  spring.pitch = joint.pitch;
  spring.passive = {.viscous = elasticity.damping, .stiffness = elasticity.stiffness};
  spring.source = joint.source;
  joint.name += "_motor";
  joint.child = spring.parent;
  joint.in_child = Pose<double>::identity();
  graph.bodies.push_back({.name = spring.parent, .source = joint.source});
  graph.joints.push_back(std::move(joint));
  graph.joints.push_back(std::move(spring));
}

RigidRobot with_rigid_joints(Graph graph) {
  RigidRobot rigid;
  const auto ends_of = [](const std::string& name, std::string_view ending) {
    return name.ends_with(ending) ? std::optional(name.substr(0, name.size() - ending.size())) : std::nullopt;
  };
  for (const GraphJoint& spring : graph.joints) {
    const std::optional<std::string> name = ends_of(spring.name, "_spring");
    if (!name || spring.parent != *name + "_rotor" || !(spring.passive.stiffness > 0.0)) continue;
    const GraphBody* rotor = find_body(graph, spring.parent);
    if (rotor == nullptr || has_mass_or_inertia(rotor->mass)) continue;
    const auto motor = std::find_if(graph.joints.begin(), graph.joints.end(), [&](const GraphJoint& joint) {
      return joint.name == *name + "_motor" && joint.child == spring.parent;
    });
    if (motor == graph.joints.end()) continue;
    motor->name = *name;
    motor->child = spring.child;
    motor->in_child = spring.in_child;
    rigid.elasticity[*name] = {spring.passive.stiffness, spring.passive.viscous};
  }
  const auto was_elastic = [&](const std::optional<std::string>& name) {
    return name && rigid.elasticity.contains(*name);
  };
  std::erase_if(graph.joints, [&](const GraphJoint& joint) { return was_elastic(ends_of(joint.name, "_spring")); });
  std::erase_if(graph.bodies, [&](const GraphBody& body) { return was_elastic(ends_of(body.name, "_rotor")); });
  const auto rename = [&](std::string& joint) {
    if (const auto name = ends_of(joint, "_motor"); was_elastic(name)) joint = *name;
  };
  for (GraphCoupling& coupling : graph.couplings) std::for_each(coupling.joints.begin(), coupling.joints.end(), rename);
  for (GraphJoint& joint : graph.joints)
    if (joint.mimic) rename(joint.mimic->joint);
  if (!rigid.elasticity.empty()) graph.postures.clear();
  rigid.graph = std::move(graph);
  return rigid;
}

}  // namespace ulna
