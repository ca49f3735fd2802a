#include "papers/legnani_dynamics.hpp"
#include "papers/legnani_kinematics.hpp"
#include "papers/legnani_loop.hpp"
#include "papers/legnani_program.hpp"

namespace ulna::reproduction {

std::vector<SectionMaker> legnani_sections() {
  return {{legnani_kinematics}, {legnani_dynamics}, {legnani_loop}, {legnani_program}};
}

}  // namespace ulna::reproduction
