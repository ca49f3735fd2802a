// A base that gives way: springs and dampers between the ground and what the arm stands on.
#pragma once

#include "ulna/model/graph.hpp"

namespace ulna {

struct FlexibleBase {
  Vec3<double> slide{0, 0, 0}, turn{0, 0, 0};                  // N/m and N·m/rad along x, y, z; 0: stiff
  Vec3<double> slide_damping{0, 0, 0}, turn_damping{0, 0, 0};  // N·s/m and N·m·s/rad
  MassData mass{};                                             // of what moves with the base
  Pose<double> pose = Pose<double>::identity();                // of the springs in the root link
};

/// Hangs the root link on a new one, "ground", by a sprung joint for each direction that gives way: base_slide_x to
/// base_turn_z, whose positions then come first in q. Small deflections are meant: the turns are angles about x, then
/// y, then z. Throws InputError for a base that floats, one that has mass data already, and for stiffnesses or dampings
/// that are negative, not numbers or all zero.
void add_flexible_base(Graph& graph, const FlexibleBase& base);

}  // namespace ulna
