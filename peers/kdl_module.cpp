// The module ulna_kdl.so: robots in KDL for `ulna bench` (peers/peer_module.hpp).
#include <exception>

#include "peers/kdl_robot.hpp"

extern "C" void ulna_make_peer(const ulna::Graph* graph, const ulna::Model* model, ulna::peers::Made* made) {
  try {
    *made = ulna::peers::make_kdl_robot(*graph, *model);
  } catch (const std::exception& e) {
    made->refusal = e.what();
  }
}
