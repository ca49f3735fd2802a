// What the report's 3-D view draws: shapes fixed in bodies, joints, and the bodies' poses over time.
#pragma once

#include <nlohmann/json.hpp>
#include <span>

#include "ulna/model/build.hpp"

namespace ulna {

/// Everything but the poses. `problems` receives what could not be drawn.
nlohmann::ordered_json scene_json(const Graph& graph, const Model& model, std::vector<std::string>& problems);

/// With the poses of these positions (rows of nq numbers).
nlohmann::ordered_json moving_scene(const Graph& graph, const Model& model, std::span<const double> times,
                                    std::span<const double> positions, std::vector<std::string>& problems);
/// Every so many of these samples are as many as a screen can show.
std::size_t frame_stride(const Model& model, std::size_t samples);

/// For each position (rows of nq numbers) px, py, pz, qx, qy, qz, qw of every body.
std::vector<float> body_poses(const Model& model, std::span<const double> positions);

}  // namespace ulna
