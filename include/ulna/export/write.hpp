// Robots back to files.
#pragma once

#include <string>

#include "ulna/model/build.hpp"

namespace ulna {

/// Explicit frames ([[body]], [[joint]], [[frame]]); says everything a Graph can hold.
std::string to_explicit_toml(const Graph& graph);

/// A standard DH table. Fixed joints are merged. Throws InputError where a table cannot describe
/// the robot: branches, a free base, joints of several degrees, axes that are nearly parallel.
std::string to_dh_toml(const Graph& graph);

/// The DH table where the geometry allows it, else explicit frames.
std::string to_toml(const Graph& graph);

/// URDF. `notices` receives what the format leaves to the reader (gravity, a free base). Throws
/// InputError for what it cannot say: screw and spherical joints, springs, armature.
std::string to_urdf(const Graph& graph, std::vector<std::string>& notices);

}  // namespace ulna
