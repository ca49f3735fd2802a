// Ulna behind the interface of its peers, so that all of them are called in the same way.
#pragma once

#include "peers/peer.hpp"

namespace ulna::bench {

/// Forward dynamics by the articulated-body method. The model must outlive the robot.
std::unique_ptr<peers::Peer> make_ulna_robot(const Model& model);
/// The same with forward dynamics by M and its factor.
std::unique_ptr<peers::Peer> make_ulna_composite_body_robot(const Model& model);
/// The robot's own code, or why there is none.
peers::Made make_ulna_compiled_robot(const Model& model);

}  // namespace ulna::bench
