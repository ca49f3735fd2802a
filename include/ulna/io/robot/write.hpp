// Robots back to files.
#pragma once

#include <string>

#include "ulna/model/build.hpp"

namespace ulna {

/// Explicit frames ([[body]], [[joint]], [[frame]]); says everything a Graph can hold.
std::string to_explicit_toml(const Graph& graph);

/// A DH table: standard, or modified where the robot's own was. Fixed joints are merged. Throws InputError where a
/// table cannot describe the robot: branches, a free base, joints of several degrees, axes that are nearly parallel.
std::string to_dh_toml(const Graph& graph);

/// The DH table where the geometry allows it, else explicit frames.
std::string to_toml(const Graph& graph);

/// What a file format may have no place for, and may leave out if it is told to.
struct Dropped {
  bool armature = false, springs = false;
};

/// URDF. `notices` receives what the format leaves to the reader (gravity, a free base) and what was dropped. Throws
/// InputError for what it cannot say: screw and spherical joints, and springs and armature unless they may be dropped.
std::string to_urdf(const Graph& graph, std::vector<std::string>& notices, const Dropped& dropped = {});

/// MJCF, MuJoCo's. `notices` receives what the format has no place for (limits of velocity). Throws InputError for
/// screws, for loops that are closed by other joints than spherical and fixed ones, and for ones that are open at q =
/// 0.
std::string to_mjcf(const Graph& graph, std::vector<std::string>& notices);

/// SDF 1.11, Gazebo's. Throws InputError for loops, for cylindrical, planar and free joints, and for armature unless it
/// may be dropped.
std::string to_sdf(const Graph& graph, std::vector<std::string>& notices, const Dropped& dropped = {});

}  // namespace ulna
