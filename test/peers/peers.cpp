#include "peers/kdl_robot.hpp"
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

}  // namespace ulna::peers
