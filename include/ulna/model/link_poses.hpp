// LinkPoses: every body's pose in its parent, for one state. The first step of all recursions.
#pragma once

#include <vector>

#include "ulna/model/model.hpp"

namespace ulna {

template <Real T>
class LinkPoses {
 public:
  explicit LinkPoses(const Model& model)
      : poses_(model.bodies().size()),
        full_(model.has_general_joints() ? model.bodies().size() : 0),
        angle_(padded(model.bodies().size())),
        sin_(angle_.size()),
        cos_(angle_.size()) {}

  const LinkPose<T>& operator[](std::size_t i) const { return poses_[i]; }

  void update(const Model& model, std::span<const T> q) {
    const std::span<const Body> bodies = model.bodies();
    const std::size_t n = bodies.size();
    for (std::size_t i = 0; i < n; ++i)
      angle_[i] = T(bodies[i].placement.angle_gain) * q[static_cast<std::size_t>(bodies[i].q_index)] +
                  T(bodies[i].placement.angle_offset);
    for (std::size_t i = n; i < angle_.size(); ++i) angle_[i] = T(0.0);
    sincos(std::span<const T>(angle_), std::span<T>(sin_), std::span<T>(cos_));
    for (std::size_t i = 0; i < n; ++i) {
      const Body& body = bodies[i];
      LinkPose<T>& x = poses_[i];
      x.at = &body.placement;
      x.full = nullptr;
      x.theta = {cos_[i], sin_[i]};
      with_joint(body.kind, [&](auto joint) {
        joint.place(body.joint, body.placement, &q[static_cast<std::size_t>(body.q_index)], x,
                    full_.empty() ? unused_ : full_[i]);
      });
    }
  }

 private:
  static std::size_t padded(std::size_t n) { return (n + 7) / 8 * 8; }  // whole packs of angles

  std::vector<LinkPose<T>> poses_;
  std::vector<Mat3<T>> full_;
  std::vector<T> angle_, sin_, cos_;
  Mat3<T> unused_;
};

}  // namespace ulna
