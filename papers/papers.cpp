#include "papers/chapter.hpp"

namespace ulna::reproduction {

const std::vector<Paper>& papers() {
  static const std::vector<Paper> list{
      {"000", "Simulation of industrial manipulators based on the UDUᵀ decomposition of the inertia matrix",
       "S. K. Saha, 2001", saha_sections()},
      {"001",
       "A new algorithmic framework for robot dynamics analysis with application to space robots dynamics simulation",
       "A. Fijany and A. K. Bejczy", fijany_sections()},
      {"002", "A dynamic model based robot arm selection criterion",
       "P. P. Bhangale, S. K. Saha and V. P. Agrawal, 2004", bhangale_sections()},
      {"003", "Dynamic modeling and analysis of a lightweight robotic manipulator in joint space",
       "Ł. Woliński and P. Malczyk, 2015", wolinski_sections()},
      {"004", "A homogeneous matrix approach to 3D kinematics and dynamics, part 2",
       "G. Legnani, P. Righettini, B. Zappa and F. Casolo, 1996", legnani_sections()},
  };
  return list;
}

}  // namespace ulna::reproduction
