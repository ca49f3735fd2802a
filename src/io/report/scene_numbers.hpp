// Points, poses and colours as the report's 3-D view reads them.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "ulna/spatial/colour.hpp"
#include "ulna/spatial/pose.hpp"
#include "ulna/spatial/quaternion.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

inline nlohmann::ordered_json json_of(const Vec3<double>& a) { return nlohmann::ordered_json::array({a.x, a.y, a.z}); }

inline nlohmann::ordered_json json_of(const Pose<double>& pose) {
  const Quaternion<double> turn = quaternion_of(pose.R);
  return nlohmann::ordered_json::array({pose.p.x, pose.p.y, pose.p.z, turn.x, turn.y, turn.z, turn.w});
}

/// Of a shape, if it has one.
void add_colour(nlohmann::ordered_json& shape, const std::optional<Colour>& colour);

}  // namespace ulna
#pragma GCC visibility pop
