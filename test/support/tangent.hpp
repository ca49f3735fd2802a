// Moving a position along a velocity, over any scalar: q(t) with q̇(0) given by v. With a Dual t
// this is how tests differentiate along a motion, quaternions included.
#pragma once

#include "ulna/model/model.hpp"
#include "ulna/spatial/lie.hpp"

namespace ulna::test {

template <Real T>
std::vector<T> moved(const Model& model, const std::vector<double>& q, const std::vector<T>& step) {
  std::vector<T> out;
  for (const double x : q) out.push_back(T(x));
  for (const Body& body : model.bodies()) {
    T* p = &out[static_cast<std::size_t>(body.q_index)];
    const T* d = &step[static_cast<std::size_t>(body.v_index)];
    if (!has_quaternion(body.kind)) {
      for (int k = 0; k < degrees_of(body.kind); ++k) p[k] += d[k];
      continue;
    }
    const bool free = body.kind == JointKind::free;
    T* r = free ? p + 3 : p;
    const Quaternion<T> before{r[0], r[1], r[2], r[3]};
    const Quaternion<T> after = before * exp_quaternion(Vec3<T>{d[0], d[1], d[2]});
    if (free) {
      const Pose<T> move = exp_pose(Motion<T>{{d[0], d[1], d[2]}, {d[3], d[4], d[5]}});
      const Vec3<T> shift = rotation_of(before) * move.p;
      p[0] += shift.x;
      p[1] += shift.y;
      p[2] += shift.z;
    }
    r[0] = after.x;
    r[1] = after.y;
    r[2] = after.z;
    r[3] = after.w;
  }
  return out;
}

}  // namespace ulna::test
