// Poses and Jacobians of frames as the arrays of a quantity, whatever the scalar: for recordings and for what they are
// checked against.
#pragma once

#include <vector>

#include "ulna/kinematics/kinematics.hpp"
#include "ulna/trace/recording.hpp"

#pragma GCC visibility push(hidden)
namespace ulna::trace {

/// The frames of the options; the tip where there is none.
inline std::vector<Frame> frames_of(const RecordOptions& options, const Model& model) {
  return options.frames.empty() ? std::vector{model.tip()} : options.frames;
}

/// R and p of all frames, or J of all frames. After update_positions().
template <Real T>
std::vector<std::vector<T>> kinematic_arrays(const Kinematics<T>& chain, Quantity quantity,
                                             const RecordOptions& options, const Model& model) {
  std::vector<T> R, p, J;
  for (const Frame& frame : frames_of(options, model)) {
    if (quantity == Quantity::pose) {
      const Pose<T> pose = chain.pose(frame);
      for (const Vec3<T>& column : {pose.R.column_x(), pose.R.column_y(), pose.R.column_z()})
        R.insert(R.end(), {column.x, column.y, column.z});
      p.insert(p.end(), {pose.p.x, pose.p.y, pose.p.z});
    } else {
      std::vector<T> one(6 * static_cast<std::size_t>(model.nv()));
      chain.jacobian(frame, options.reference, {one.data(), 6, model.nv()});
      J.insert(J.end(), one.begin(), one.end());
    }
  }
  if (quantity == Quantity::pose) return {R, p};
  return {J};
}

}  // namespace ulna::trace
#pragma GCC visibility pop
