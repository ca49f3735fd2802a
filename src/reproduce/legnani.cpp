#include "reproduce/legnani_dynamics.hpp"
#include "reproduce/legnani_kinematics.hpp"
#include "reproduce/legnani_loop.hpp"
#include "reproduce/legnani_program.hpp"

namespace ulna::reproduction {

std::vector<SectionMaker> legnani_sections() {
  return {{legnani_kinematics}, {legnani_dynamics}, {legnani_loop}, {legnani_program}};
}

}  // namespace ulna::reproduction
