// Templates of URDF, by the program that ROS has for them.
#pragma once

#include <string>

#pragma GCC visibility push(hidden)
namespace ulna {

/// What `xacro PATH` writes. Throws InputError if there is no such program, and if it fails.
std::string run_xacro(const std::string& path);

}  // namespace ulna
#pragma GCC visibility pop
