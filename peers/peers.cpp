#include "peers/libraries.hpp"

#include "peers/kdl_robot.hpp"
#include "peers/mujoco_mechanism.hpp"
#include "peers/mujoco_robot.hpp"
#include "peers/peer_module.hpp"

namespace ulna::peers {

namespace {

/// From its module, which nothing shares with the rest of the program and which stays.
template <const PeerModule& module>
[[maybe_unused]] Made make_from_module(const Graph& graph, const Model& model) {
  static std::vector<std::shared_ptr<trace::SharedObject>> kept;
  LoadedPeer loaded = load_peer(module, graph, model);
  kept.push_back(std::move(loaded.module));
  return std::move(loaded.made);
}

}  // namespace

std::vector<Library> libraries() {
  return {
#ifdef ULNA_HAVE_KDL
      {"kdl", make_kdl_robot},
#endif
#ifdef ULNA_HAVE_MUJOCO
      {"mujoco", make_mujoco_robot},
#endif
#ifdef ULNA_HAVE_PINOCCHIO
      {"pinocchio", make_from_module<pinocchio>},
#endif
#ifdef ULNA_HAVE_RBDL
      {"rbdl", make_from_module<rbdl>},
#endif
  };
}

MadeMechanism make_mechanism_peer([[maybe_unused]] const Graph& graph, [[maybe_unused]] const Model& tree,
                                  [[maybe_unused]] Hinge hinge) {
#ifdef ULNA_HAVE_MUJOCO
  return make_mujoco_mechanism(graph, tree, hinge);
#else
  return {nullptr, "MuJoCo is not installed"};
#endif
}

}  // namespace ulna::peers
