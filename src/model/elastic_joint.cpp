#include "ulna/model/elastic_joint.hpp"

#include <cmath>

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

}  // namespace ulna
