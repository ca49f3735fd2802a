// A mechanism with closed loops in somebody's library, seen through Ulna's conventions. MuJoCo is the one
// that has them; its own types stay inside its .cpp files.
#pragma once

#include <vector>

#include "peers/peer.hpp"

namespace ulna::peers {

/// By how many points a hinge that closes a loop is held: two (one equation of the six is redundant), or
/// one, which is all that a mechanism in a plane needs.
enum class Hinge { two_points, one_point };

/// The peer's own numbers of M a = force + Jᵀλ, J a = right, in Ulna's order of v; matrices column by column.
struct LoopSystem {
  int rows = 0;
  std::vector<double> M, J, force, right;
  double right_error = 0.0;  // of a component, at most
  /// R of what its solver makes of J a = right: J a + R λ = 0, for a mechanism at rest with closed loops.
  std::vector<double> softness;
};

class MechanismPeer {
 public:
  virtual ~MechanismPeer() = default;
  virtual void forward_dynamics(Input q, Input v, Input tau, Output a) = 0;
  virtual LoopSystem system(Input q, Input v, Input tau) = 0;
};

/// A peer's mechanism, or why there is none.
struct MadeMechanism {
  std::unique_ptr<MechanismPeer> mechanism;
  std::string refusal;
};

/// `tree` is the model of the graph without its loops.
MadeMechanism make_mechanism_peer(const Graph& graph, const Model& tree, Hinge hinge);

}  // namespace ulna::peers
