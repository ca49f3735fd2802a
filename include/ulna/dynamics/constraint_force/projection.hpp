// H and W of eq. (3.1): the interbody force split into what the drive gives and what the joint
// constrains, F = H F_T + W F_S, in body axes with the joint axis on z.
//
// W and H are columns of the unit matrix, so projecting is choosing rows and columns: `order` lists
// the components (moment x, y, z, force x, y, z) that belong to W, then those of H. A screw couples
// turning and sliding, which (3.2) excludes: its fifth column of W is a force along z with the
// moment −pitch that takes its power away, and H stays the moment about z. The two are dual and not
// orthonormal then; nothing else changes.
#pragma once

#include "ulna/model/model.hpp"

namespace ulna::constraint_force {

using Order = std::array<std::size_t, 6>;

ULNA_INLINE Order order_of(JointKind kind) {
  switch (kind) {
    case JointKind::prismatic: return {0, 1, 3, 4, 2, 5};
    case JointKind::spherical: return {3, 4, 5, 0, 1, 2};
    case JointKind::revolute:
    case JointKind::screw:
    case JointKind::free:  // the base, which has no W
    case JointKind::fixed: break;
  }
  return {0, 1, 3, 4, 5, 2};
}

/// How many columns W has; H has the rest of the six.
ULNA_INLINE std::size_t constraint_count(JointKind kind) { return kind == JointKind::spherical ? 3 : 5; }

template <class T>
using Six = std::array<T, 6>;

template <class T>
ULNA_INLINE Six<T> six(const Motion<T>& m) {
  return {m.angular.x, m.angular.y, m.angular.z, m.linear.x, m.linear.y, m.linear.z};
}

/// (W | H)ᵗ V̇: the six numbers of a motion in the joint's order.
template <Real T>
ULNA_INLINE Six<T> project(const Body& body, const Motion<T>& motion) {
  const Six<T> m = six(motion);
  const Order order = order_of(body.kind);
  Six<T> out{m[order[0]], m[order[1]], m[order[2]], m[order[3]], m[order[4]], m[order[5]]};
  if (body.kind == JointKind::screw) out[4] -= T(body.joint.pitch) * m[2];
  return out;
}

/// W F_S + H F_T for six numbers in the joint's order.
template <Real T>
ULNA_INLINE Force<T> combine(const Body& body, const Six<T>& s) {
  Six<T> f;
  const Order order = order_of(body.kind);
  for (std::size_t k = 0; k < 6; ++k) f[order[k]] = s[k];
  if (body.kind == JointKind::screw) f[2] -= T(body.joint.pitch) * s[4];
  return {{f[0], f[1], f[2]}, {f[3], f[4], f[5]}};
}

}  // namespace ulna::constraint_force
