// H and W of eq. (3.1): the interbody force split into what the drive gives and what the joint
// constrains, F = H F_T + W F_S, in body axes.
//
// Both are read from the joint's struct (model/joints/joint.hpp): `directions` lists the components (moment x, y, z,
// force x, y, z) that belong to W, then those of H; `components` and `compose` lead to these components where they are
// not along the body's axes. A screw couples turning and sliding, which (3.2) excludes.
#pragma once

#include "ulna/model/model.hpp"

namespace ulna::constraint_force {

/// How many columns W has; H has the rest of the six.
ULNA_INLINE std::size_t locked_count(JointKind kind) { return static_cast<std::size_t>(ulna::constraint_count(kind)); }

template <class T>
using Six = std::array<T, 6>;

template <class T>
ULNA_INLINE Six<T> six(const Motion<T>& m) {
  return {m.angular.x, m.angular.y, m.angular.z, m.linear.x, m.linear.y, m.linear.z};
}

/// (W | H)ᵗ x of six numbers, or of six things that can be scaled and added.
template <class X, Real T>
ULNA_INLINE Six<X> in_order(const Body& body, const LinkPose<T>& pose, const Six<X>& x) {
  return with_joint(body.kind, [&](auto joint) {
    const Six<X> r = joint.components(joint_at(body, pose), x);
    constexpr Directions k = joint.directions;
    return Six<X>{r[k[0]], r[k[1]], r[k[2]], r[k[3]], r[k[4]], r[k[5]]};
  });
}

/// (W | H)ᵗ V̇: the six numbers of a motion in the joint's order.
template <Real T>
ULNA_INLINE Six<T> project(const Body& body, const LinkPose<T>& pose, const Motion<T>& motion) {
  return in_order(body, pose, six(motion));
}

/// W F_S + H F_T for six numbers in the joint's order.
template <Real T>
ULNA_INLINE Force<T> combine(const Body& body, const LinkPose<T>& pose, const Six<T>& s) {
  const Six<T> f = with_joint(body.kind, [&](auto joint) {
    Six<T> r;
    for (std::size_t k = 0; k < 6; ++k) r[joint.directions[k]] = s[k];
    return joint.compose(joint_at(body, pose), r);
  });
  return {{f[0], f[1], f[2]}, {f[3], f[4], f[5]}};
}

}  // namespace ulna::constraint_force
