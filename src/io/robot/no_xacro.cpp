// In the place of xacro.cpp in a build without ULNA_OWN_CODE.
#include "io/robot/xacro.hpp"
#include "ulna/base/error.hpp"

namespace ulna {

std::string run_xacro(const std::string& path) {
  throw InputError(
      Source{path, 0},
      "a template that xacro, a program of ROS, makes a robot of, and this build of Ulna runs no programs; "
      "run xacro yourself, and read what it writes");
}

}  // namespace ulna
