// The files of the meshes that draw a robot.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ulna/model/graph.hpp"

namespace ulna {

/// The file of a shape that is a mesh, on a body of this graph; nothing if it is not found. package://NAME/path is
/// looked for in the folders of the environment variables ULNA_PACKAGE_PATH, ROS_PACKAGE_PATH and AMENT_PREFIX_PATH,
/// and in the folders around the robot's file.
std::optional<std::string> find_mesh(const Shape& shape, const GraphBody& body);

/// Of the files that are there, those that hold no mesh that can be read: a line each, with the reason. Reads them all.
std::vector<std::string> unreadable_meshes(const Graph& graph);

}  // namespace ulna
