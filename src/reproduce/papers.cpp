#include "reproduce/chapter.hpp"

namespace ulna::reproduction {

const std::vector<Paper>& papers() {
  static const std::vector<Paper> list{
      {"000", "Simulation of industrial manipulators based on the UDUᵀ decomposition of the inertia matrix",
       "S. K. Saha, 2001", saha_sections()},
      {"003", "Dynamic modeling and analysis of a lightweight robotic manipulator in joint space",
       "Ł. Woliński, P. Malczyk, 2015", wolinski_sections()},
      {"004", "A homogeneous matrix approach to 3D kinematics and dynamics, part 2",
       "G. Legnani, P. Righettini, B. Zappa, F. Casolo, 1996", legnani_sections()},
  };
  return list;
}

}  // namespace ulna::reproduction
