// Where the meshes that robot files name are.
#pragma once

#include <string>
#include <vector>

#include "ulna/model/graph.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

/// As a Shape keeps it: package:// and model:// as they are written, a path as one that holds wherever the robot is
/// written to; relative ones are from the folder of the robot's file.
std::string kept_mesh_name(const std::string& written, const std::string& robot_file);

/// What a robot's load() has to say about meshes that are not found, one line for each package or file.
std::vector<std::string> missing_meshes(const Graph& graph);

}  // namespace ulna
#pragma GCC visibility pop
