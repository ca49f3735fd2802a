// The joints these papers know: one degree of freedom, p_i a column.
#pragma once

#include "ulna/model/model.hpp"

namespace ulna::denoc {

/// p_i θ̇_i: [e; 0] for a revolute, [0; e] for a prismatic joint (erratum 0.7), both for a screw.
template <Real T>
ULNA_INLINE Motion<T> p_times(const Body& body, const T& rate) {
  Motion<T> m = Motion<T>::zero();
  with_one_degree(body.kind, [&](auto joint) { joint.add_motion(body.joint, &rate, m); });
  return m;
}

/// p_iᵀ w
template <Real T>
ULNA_INLINE T p_dot(const Body& body, const Force<T>& w) {
  return with_one_degree(body.kind, [&](auto joint) { return joint.project(body.joint, w)[0]; });
}

/// M p_i
template <class Inertia>
ULNA_INLINE auto times_p(const Body& body, const Inertia& M) {
  return with_one_degree(body.kind, [&](auto joint) { return joint.times(body.joint, M)[0]; });
}

}  // namespace ulna::denoc
