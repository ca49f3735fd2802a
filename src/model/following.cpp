#include "following.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ulna {

namespace {

Following nobody(std::string problem, std::string remedy) {
  return {nullptr, 1.0, 0.0, std::move(problem), std::move(remedy)};
}

}  // namespace

Leaders::Leaders(const Graph& graph) {
  for (const GraphJoint& joint : graph.joints) by_name_.emplace(joint.name, &joint);
}

Following Leaders::of(const GraphJoint& joint) const {
  constexpr int longest = 1000;
  Following result{&joint};
  for (int steps = 0; result.leader->mimic; ++steps) {
    const Mimic& mimic = *result.leader->mimic;
    if (steps > 0 && result.leader == &joint)
      return nobody("follows a joint that follows it", "let one of them have a coordinate of its own");
    if (steps == longest)
      return nobody("follows by way of more than a thousand joints", "let one of them have a coordinate of its own");
    const auto found = by_name_.find(mimic.joint);
    const GraphJoint* next = found == by_name_.end() ? nullptr : found->second;
    if (next == nullptr)
      return nobody(fmt::format("follows joint '{}', which does not exist", mimic.joint), "name a joint of the robot");
    if (!has_one_degree(next->kind))
      return nobody(fmt::format("follows joint '{}', which is {}", next->name, name_of(next->kind)),
                    "follow a joint of one degree of freedom");
    if (!has_one_degree(joint.kind))
      return nobody(fmt::format("follows another joint and is {}", name_of(joint.kind)),
                    "only joints of one degree of freedom can follow");
    if (!std::isfinite(mimic.multiplier) || !std::isfinite(mimic.offset))
      return nobody("its mimic holds a number that is not finite", "give finite numbers");
    result.offset += result.multiplier * mimic.offset;
    result.multiplier *= mimic.multiplier;
    result.leader = next;
  }
  return result;
}

bool narrow(Limits& leader, const Limits& own, const Following& following) {
  const double k = following.multiplier;
  if (k == 0.0) return own.lower <= following.offset && following.offset <= own.upper;
  double from = (own.lower - following.offset) / k, to = (own.upper - following.offset) / k;
  if (from > to) std::swap(from, to);
  const double lower = std::max(leader.lower, from), upper = std::min(leader.upper, to);
  if (lower > upper) return false;
  leader.lower = lower;
  leader.upper = upper;
  leader.velocity = std::min(leader.velocity, own.velocity / std::fabs(k));
  return true;
}

void lead(JointInfo& leader, const GraphJoint& follower, const Following& following) {
  const double k = following.multiplier;
  narrow(leader.limits, follower.limits, following);
  Passive& p = leader.passive;
  const Passive& own = follower.passive;
  // Two springs on one coordinate are one: s (x − r) = s₁ (x − r₁) + k s₂ (k x + c − r₂).
  const double pull = p.stiffness * p.rest + k * own.stiffness * (own.rest - following.offset);
  p.stiffness += k * k * own.stiffness;
  if (p.stiffness != 0.0) p.rest = pull / p.stiffness;
  p.viscous += k * k * own.viscous;
  p.coulomb += std::fabs(k) * own.coulomb;
  p.armature += k * k * own.armature;
}

}  // namespace ulna
