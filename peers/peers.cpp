#include "peers/libraries.hpp"

#include "peers/kdl_robot.hpp"
#include "peers/mujoco_mechanism.hpp"
#include "peers/mujoco_robot.hpp"

namespace ulna::peers {

std::vector<Library> libraries() {
  return {
#ifdef ULNA_HAVE_KDL
      {"kdl", make_kdl_robot},
#endif
#ifdef ULNA_HAVE_MUJOCO
      {"mujoco", make_mujoco_robot},
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
