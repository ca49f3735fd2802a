#include "mjcf_rotors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

namespace ulna {

namespace {

constexpr std::string_view rotor_ending = "_rotor";

/// About its hinge; nothing for what is more than a rotor.
std::optional<double> rotor_inertia(const Graph& graph, const GraphJoint& joint, const std::string& world) {
  if (joint.kind != JointKind::revolute || joint.parent != world || joint.mimic || joint.passive.stiffness != 0.0 ||
      std::isfinite(joint.limits.lower) || std::isfinite(joint.limits.upper))
    return std::nullopt;
  const auto carries = [&](const GraphJoint& other) {
    return other.parent == joint.child || (other.mimic && other.mimic->joint == joint.name);
  };
  const auto is_on_it = [&](const GraphFrame& frame) { return frame.body == joint.child; };
  const auto is_looped = [&](const GraphLoop& loop) { return loop.parent == joint.child || loop.child == joint.child; };
  const GraphBody& body = *find_body(graph, joint.child);
  if (std::any_of(graph.joints.begin(), graph.joints.end(), carries) ||
      std::any_of(graph.frames.begin(), graph.frames.end(), is_on_it) ||
      std::any_of(graph.loops.begin(), graph.loops.end(), is_looped) || !body.shapes.empty())
    return std::nullopt;
  const Vec3<double> axis = joint.in_child.R * ((1.0 / norm(joint.axis)) * joint.axis);
  const Vec3<double> off = cross(body.mass.com - joint.in_child.p, axis);
  if (norm(off) > 1e-12) return std::nullopt;  // its weight turns it
  const double sum = joint.passive.armature + dot(axis, body.mass.inertia * axis);
  return sum > least_of_mujoco ? sum : 0.0;
}

/// A motor and the joints that it moves.
struct TiedMotor {
  std::string rotor;
  std::map<std::string, double> gears;
  GraphMotor motor;
};

/// Where one joint of a tie is a rotor's and all others are not.
std::optional<TiedMotor> motor_of(const Graph& graph, const MjcfTie& tie, const std::string& world) {
  TiedMotor tied;
  double own = 0.0;
  for (const auto& [name, part] : tie.joints) {
    const GraphJoint* joint = find_joint(graph, name);
    if (joint == nullptr || !has_one_degree(joint->kind) || !std::isfinite(part)) return std::nullopt;
    const std::optional<double> inertia = rotor_inertia(graph, *joint, world);
    if (!inertia) {
      tied.gears[name] += part;
      continue;
    }
    if (!tied.rotor.empty() || part == 0.0) return std::nullopt;
    tied.rotor = name;
    own = part;
    tied.motor.inertia = *inertia;
    tied.motor.viscous = joint->passive.viscous;
    tied.motor.coulomb = joint->passive.coulomb;
    tied.motor.limits.effort = joint->limits.effort;
  }
  if (tied.rotor.empty() || tied.gears.empty()) return std::nullopt;
  for (auto& [name, part] : tied.gears) part /= -own;
  return tied;
}

std::string coupling_name(const std::string& tie) {
  const std::size_t at = tie.rfind(rotor_ending);
  return at == std::string::npos || at == 0 ? tie : tie.substr(0, at);
}

}  // namespace

CoupledRotors coupled_rotors(const Graph& graph, const std::vector<MjcfTie>& ties) {
  struct Group {
    std::vector<std::pair<const MjcfTie*, TiedMotor>> motors;
  };
  std::map<std::set<std::string>, Group> groups;  // by the joints that motors share
  std::map<std::string, int> uses;                // of rotors
  for (const MjcfTie& tie : ties) {
    const std::optional<TiedMotor> tied = motor_of(graph, tie, graph.bodies.front().name);
    if (!tied) continue;
    std::set<std::string> joints;
    for (const auto& [name, part] : tied->gears) joints.insert(name);
    groups[joints].motors.emplace_back(&tie, *tied);
    ++uses[tied->rotor];
  }
  CoupledRotors found;
  for (const auto& [joints, group] : groups) {
    const auto is_shared = [&](const auto& motor) { return uses[motor.second.rotor] > 1; };
    if (group.motors.size() != joints.size() || joints.size() < 2 ||
        std::any_of(group.motors.begin(), group.motors.end(), is_shared))
      continue;
    GraphCoupling coupling{.name = coupling_name(group.motors.front().first->name)};
    coupling.source = group.motors.front().first->source;
    for (const auto& [name, part] : group.motors.front().first->joints) {
      const bool is_new = std::find(coupling.joints.begin(), coupling.joints.end(), name) == coupling.joints.end();
      if (joints.contains(name) && is_new) coupling.joints.push_back(name);
    }
    for (const auto& [tie, tied] : group.motors) {
      coupling.motors.push_back(tied.motor);
      for (const std::string& joint : coupling.joints) coupling.motors.back().gears.push_back(tied.gears.at(joint));
      found.ties.insert(tie->name);
      found.joints.insert(tied.rotor);
    }
    found.couplings.push_back(std::move(coupling));
  }
  return found;
}

void remove_rotors(Graph& graph, const std::unordered_set<std::string>& joints) {
  std::unordered_set<std::string> bodies;
  for (const GraphJoint& joint : graph.joints)
    if (joints.contains(joint.name)) bodies.insert(joint.child);
  std::erase_if(graph.joints, [&](const GraphJoint& joint) { return joints.contains(joint.name); });
  std::erase_if(graph.bodies, [&](const GraphBody& body) { return bodies.contains(body.name); });
}

std::string rotor_name(const GraphCoupling& coupling, std::size_t motor) {
  return fmt::format("{}{}{}", coupling.name, rotor_ending, motor + 1);
}

}  // namespace ulna
