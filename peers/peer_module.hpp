// Other libraries, each in a module of its own that is loaded while the program runs, so that Ulna depends on none.
// A module is built where its library was found (CMakeLists.txt).
#pragma once

#include "peers/peer.hpp"
#include "trace/shared_object.hpp"

namespace ulna::peers {

struct PeerModule {
  const char *title, *file;
};
inline constexpr PeerModule kdl{"KDL", "ulna_kdl.so"}, mujoco{"MuJoCo", "ulna_mujoco.so"},
    pinocchio{"Pinocchio", "ulna_pinocchio.so"}, rbdl{"RBDL", "ulna_rbdl.so"};
inline constexpr const PeerModule* modules[] = {&kdl, &mujoco, &pinocchio, &rbdl};

/// Nullptr where it was not built or its library is gone.
std::shared_ptr<trace::SharedObject> open_module(const PeerModule& module);

/// What every module holds under this name.
extern "C" using MakePeer = void(const Graph* graph, const Model* model, Made* made);
inline constexpr const char* make_peer_function = "ulna_make_peer";

/// The module stays as long as its robot.
struct LoadedPeer {
  std::shared_ptr<trace::SharedObject> module;
  Made made;
};
LoadedPeer load_peer(const PeerModule& module, const Graph& graph, const Model& model);

}  // namespace ulna::peers
