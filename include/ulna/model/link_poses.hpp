// LinkPoses: every body's pose in its parent, for one state. The first step of all recursions.
#pragma once

#include <algorithm>
#include <vector>

#include "ulna/model/expect_size.hpp"
#include "ulna/model/expect_tree.hpp"
#include "ulna/model/expect_unit_quaternions.hpp"
#include "ulna/model/model.hpp"
#include "ulna/real/scalars.hpp"

namespace ulna {

template <Real T>
class LinkPoses {
 public:
  /// For dynamics, which knows trees alone.
  explicit LinkPoses(const Model& model) : LinkPoses(model, WithLoops{}) { expect_tree(model); }
  /// For kinematics: a position is one whether or not loops are closed there.
  struct WithLoops {};
  LinkPoses(const Model& model, WithLoops)
      : poses_(model.bodies().size()),
        full_(model.has_general_joints() ? model.bodies().size() : 0),
        angle_(padded(model.bodies().size())),
        sin_(angle_.size()),
        cos_(angle_.size()) {}

  const LinkPose<T>& operator[](std::size_t i) const { return poses_[i]; }

  void update(const Model& model, std::span<const T> q) {
    expect_size("q", q.size(), model.nq());
    expect_size("the workspace's list of bodies", poses_.size(), model.body_count());
    expect_unit_quaternions(model, q);
    update(model, q, 0, model.bodies().size());
  }

  /// For bodies first … last−1 only; first is a multiple of eight. Ranges may be done at once.
  void update(const Model& model, std::span<const T> q, std::size_t first, std::size_t last) {
    const std::span<const Body> bodies = model.bodies();
    for (std::size_t i = first; i < last; ++i)
      angle_[i] = T(bodies[i].placement.angle_gain) * q[static_cast<std::size_t>(bodies[i].angle_index)] +
                  T(bodies[i].placement.angle_offset);
    const std::size_t end = std::min(padded(last), angle_.size());
    for (std::size_t i = last; i < end; ++i) angle_[i] = T(0.0);
    const std::size_t count = end - first;
    sincos(std::span<const T>(angle_).subspan(first, count), std::span<T>(sin_).subspan(first, count),
           std::span<T>(cos_).subspan(first, count));
    for (std::size_t i = first; i < last; ++i) {
      const Body& body = bodies[i];
      LinkPose<T>& x = poses_[i];
      x.at = &body.placement;
      x.full = nullptr;
      x.theta = {cos_[i], sin_[i]};
      with_joint(body.kind, [&](auto joint) {
        const T* own = &q[static_cast<std::size_t>(body.q_index)];
        if constexpr (joint.is_axial) {
          joint.place(body.joint, body.placement, own, x);
        } else {
          const Mat3<T> R = cast<T>(body.placement.rotation);
          const Pose<T> moved = joint.displacement(own, x.theta);
          full_[i] = R * moved.R;
          x.p = cast<T>(body.placement.p) + R * moved.p;
          x.full = &full_[i];
        }
      });
    }
  }

 private:
  static std::size_t padded(std::size_t n) { return (n + 7) / 8 * 8; }  // whole packs of angles

  std::vector<LinkPose<T>> poses_;
  std::vector<Mat3<T>> full_;
  std::vector<T> angle_, sin_, cos_;
};

// Compiled with the algorithms: else the linker might take the copy of a file that is compiled for any processor.
#define ULNA_LINK_POSES(EXTERN, T) EXTERN template class LinkPoses<T>;
ULNA_EXTERN_TEMPLATES(ULNA_LINK_POSES)

}  // namespace ulna
