// The joint kinds. A new one is a file beside this, an enumerator and a row in `with_joint`.
// Fixed joints are in robot files only: build() merges the bodies they join.
#pragma once

#include <stdexcept>
#include <utility>

#include "ulna/model/joints/free.hpp"
#include "ulna/model/joints/prismatic.hpp"
#include "ulna/model/joints/revolute.hpp"
#include "ulna/model/joints/screw.hpp"
#include "ulna/model/joints/spherical.hpp"

namespace ulna {

enum class JointKind : unsigned char { revolute, prismatic, screw, spherical, free, fixed };

/// Calls f with the kind's struct, so that its sizes and its subspace are known when compiled.
template <class F>
ULNA_INLINE decltype(auto) with_joint(JointKind kind, F&& f) {
  switch (kind) {
    case JointKind::revolute: return f(Revolute{});
    case JointKind::prismatic: return f(Prismatic{});
    case JointKind::screw: return f(Screw{});
    case JointKind::spherical: return f(Spherical{});
    case JointKind::free: return f(Free{});
    case JointKind::fixed: break;
  }
  throw std::logic_error("a fixed joint has no motion; build() merges it");
}

inline const char* name_of(JointKind kind) {
  if (kind == JointKind::fixed) return "fixed";
  return with_joint(kind, [](auto joint) { return joint.name; });
}

/// How many velocities it has.
inline int degrees_of(JointKind kind) {
  return kind == JointKind::fixed ? 0 : with_joint(kind, [](auto joint) { return joint.nv; });
}

inline bool has_one_degree(JointKind kind) { return degrees_of(kind) == 1; }

/// Where in its positions a unit quaternion begins; −1: there is none.
inline int quaternion_of(JointKind kind) {
  return kind == JointKind::fixed ? -1 : with_joint(kind, [](auto joint) { return joint.quaternion; });
}

inline bool has_quaternion(JointKind kind) { return quaternion_of(kind) >= 0; }

/// Moves about or along one axis.
inline bool has_axis(JointKind kind) {
  return kind != JointKind::fixed && with_joint(kind, [](auto joint) { return joint.has_axis; });
}

}  // namespace ulna
