// Joints that follow others.
#pragma once

#include <string_view>
#include <unordered_map>

#include "ulna/model/model.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

/// The joint that has the coordinate: multiplier · q + offset is where the follower stands.
struct Following {
  const GraphJoint* leader;  // nullptr: there is none, see `problem`
  double multiplier = 1.0, offset = 0.0;
  std::string problem{}, remedy{};
};

/// Whom the joints of a graph follow, which must live as long.
class Leaders {
 public:
  explicit Leaders(const Graph& graph);
  /// Whom a joint with a `mimic` follows in the end: followers may follow followers, in chains that end soon.
  Following of(const GraphJoint& joint) const;

 private:
  std::unordered_map<std::string_view, const GraphJoint*> by_name_;
};

/// Limits of the leader's position at which the follower is within its own. False, and as they were, where there is no
/// such position.
bool narrow(Limits& leader, const Limits& own, const Following& following);

/// Takes what a follower is and has into its leader: its limits, friction, springs and rotor.
void lead(JointInfo& leader, const GraphJoint& follower, const Following& following);

}  // namespace ulna
#pragma GCC visibility pop
