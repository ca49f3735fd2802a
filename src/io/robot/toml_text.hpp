// TOML text of the pieces that both writers share. Numbers are written so that they read back
// as the same bits.
#pragma once

#include <string>

#include "ulna/model/graph.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

std::string toml_text(const Vec3<double>& a);
std::string toml_text(const Sym3<double>& a);
std::string quoted(const std::string& text);

/// name, title, source, gravity and the flags: the head of a robot file.
std::string toml_head(const Graph& graph);
/// limits, friction, spring, armature, as lines.
std::string toml_joint_data(const Limits& limits, const Passive& passive);
/// `key = { xyz = …, rotation = … }` and a newline; nothing for the identity.
std::string toml_pose(const std::string& key, const Pose<double>& pose);
/// The [[coupling]] tables.
std::string toml_couplings(const Graph& graph);
/// The [[posture]] tables.
std::string toml_postures(const Graph& graph);
/// A [[body.shape]] or [[link.shape]] table.
std::string toml_shape(const char* row, const Shape& shape);
std::string toml_frame(const std::string& name, const std::string& body, const Pose<double>& pose);

}  // namespace ulna
#pragma GCC visibility pop
