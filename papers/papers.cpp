#include "papers/chapter.hpp"

namespace ulna::reproduction {

const std::vector<Paper>& papers() {
  static const std::vector<Paper> list{
      {"saha2001", "000", "Simulation of industrial manipulators based on the UDUᵀ decomposition of inertia matrix",
       "S. K. Saha", saha_sections()},
      {"fijany_bejczy", "001",
       "A new algorithmic framework for robot dynamics analysis with application to space robots dynamics simulation",
       "A. Fijany and A. K. Bejczy", fijany_sections()},
      {"bhangale2004", "002", "A dynamic model based robot arm selection criterion",
       "P. P. Bhangale, S. K. Saha and V. P. Agrawal", bhangale_sections()},
      {"wolinski2015", "003", "Dynamic modeling and analysis of a lightweight robotic manipulator in joint space",
       "Ł. Woliński and P. Malczyk", wolinski_sections()},
      {"legnani1996", "004",
       "A homogeneous matrix approach to 3D kinematics and dynamics, part 2: applications to chains of rigid bodies "
       "and "
       "serial manipulators",
       "G. Legnani, P. Righettini, B. Zappa and F. Casolo", legnani_sections()},
  };
  return list;
}

}  // namespace ulna::reproduction
