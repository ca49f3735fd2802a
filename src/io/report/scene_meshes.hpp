// The meshes of a robot, as the report's 3-D view draws them: reduced, so that the page stays small.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "ulna/io/mesh/mesh.hpp"
#include "ulna/model/build.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

/// Adds them to the shapes. What cannot be read is told, and left out; what is not found the robot's reader has told.
void add_meshes(nlohmann::ordered_json& shapes, const Graph& graph, const Model& model,
                std::vector<std::string>& problems);

/// Adds a surface in axes of the world, with its colours. Whether it does not fall into too many pieces for that.
bool add_surface(nlohmann::ordered_json& shapes, const Mesh& mesh);

}  // namespace ulna
#pragma GCC visibility pop
