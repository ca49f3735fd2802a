// The motion of a joint by its offset, which other formats than TOML have no word for.
#pragma once

#include "ulna/model/graph.hpp"
#include "ulna/spatial/lie.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

/// Of joints of one degree; others have no offset.
inline Pose<double> motion_by_offset(const GraphJoint& joint) {
  if (joint.offset == 0.0) return Pose<double>::identity();
  const Vec3<double> axis = (1.0 / norm(joint.axis)) * joint.axis;
  if (slides(joint.kind)) return {Mat3<double>::identity(), joint.offset * axis};
  const Pose<double> turn{exp_rotation(joint.offset * axis), Vec3<double>::zero()};
  if (!has_pitch(joint.kind)) return turn;
  return {turn.R, joint.offset * joint.pitch * axis};
}

}  // namespace ulna
#pragma GCC visibility pop
