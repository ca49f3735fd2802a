// The joint kinds. A new one is a file beside this with its include, and a row here.
// Fixed joints are in robot files only: build() merges the bodies they join.
#pragma once

#include <algorithm>
#include <span>
#include <stdexcept>
#include <utility>

#include "ulna/model/joints/cylindrical.hpp"
#include "ulna/model/joints/fixed.hpp"
#include "ulna/model/joints/free.hpp"
#include "ulna/model/joints/planar.hpp"
#include "ulna/model/joints/prismatic.hpp"
#include "ulna/model/joints/revolute.hpp"
#include "ulna/model/joints/screw.hpp"
#include "ulna/model/joints/spherical.hpp"
#include "ulna/model/joints/universal.hpp"

/// Enumerator and struct of every joint that moves.
#define ULNA_JOINTS(ROW)        \
  ROW(revolute, Revolute)       \
  ROW(prismatic, Prismatic)     \
  ROW(screw, Screw)             \
  ROW(spherical, Spherical)     \
  ROW(free, Free)               \
  ROW(cylindrical, Cylindrical) \
  ROW(universal, Universal)     \
  ROW(planar, Planar)

namespace ulna {

#define ULNA_ROW(kind, Joint) kind,
enum class JointKind : unsigned char { ULNA_JOINTS(ULNA_ROW) fixed };
#undef ULNA_ROW

#define ULNA_ROW(kind, Joint) JointKind::kind,
inline constexpr std::array joint_kinds{ULNA_JOINTS(ULNA_ROW) JointKind::fixed};
#undef ULNA_ROW

/// Calls f with the kind's struct, so that its sizes and its subspace are known when compiled.
template <class F>
ULNA_INLINE decltype(auto) with_joint(JointKind kind, F&& f) {
  switch (kind) {
#define ULNA_ROW(kind, Joint) \
  case JointKind::kind: return f(Joint{});
    ULNA_JOINTS(ULNA_ROW)
#undef ULNA_ROW
    case JointKind::fixed: break;
  }
  throw std::logic_error("a fixed joint has no motion; build() merges it");
}

/// The same for joints of one degree alone.
template <class F>
ULNA_INLINE decltype(auto) with_one_degree(JointKind kind, F&& f) {
  switch (kind) {
#define ULNA_ROW(kind, Joint)     \
  case JointKind::kind:           \
    if constexpr (Joint::nv == 1) \
      return f(Joint{});          \
    else                          \
      break;
    ULNA_JOINTS(ULNA_ROW)
#undef ULNA_ROW
    case JointKind::fixed: break;
  }
  throw std::logic_error("this is for joints of one degree of freedom");
}

/// The same for every kind, fixed joints too: for what a joint says of itself.
template <class F>
ULNA_INLINE decltype(auto) with_any_joint(JointKind kind, F&& f) {
  return kind == JointKind::fixed ? f(Fixed{}) : with_joint(kind, std::forward<F>(f));
}

/// S of a joint of one degree: a turn about z, a slide along it, or both.
inline Motion<double> one_degree_column(JointKind kind, const JointData& data) {
  const Turn<double> any{1.0, 0.0};
  return with_one_degree(kind, [&](auto joint) { return subspace_column<double>(joint, {data, any}, 0); });
}

inline const char* name_of(JointKind kind) {
  return with_any_joint(kind, [](auto joint) { return joint.name; });
}

/// The solid that pages draw it as (web/page/scene.js).
inline const char* look_of(JointKind kind) {
  return with_any_joint(kind, [](auto joint) { return joint.look; });
}

/// How many velocities it has.
inline int degrees_of(JointKind kind) {
  return with_any_joint(kind, [](auto joint) { return joint.nv; });
}

inline bool has_one_degree(JointKind kind) { return degrees_of(kind) == 1; }

/// How many of the six directions it locks.
inline int constraint_count(JointKind kind) { return 6 - degrees_of(kind); }

/// Whether it locks one of them: a turn about x, y, z (0, 1, 2) or a slide (3, 4, 5).
inline bool locks(JointKind kind, std::size_t direction) {
  return with_any_joint(kind, [&](auto joint) {
    const auto begin = joint.directions.begin(), end = begin + (6 - joint.nv);
    return std::find(begin, end, direction) != end;
  });
}

/// What each number of q is, and of v, a and tau.
inline std::span<const JointNumber> position_numbers(JointKind kind) {
  return with_any_joint(kind, [](auto joint) { return std::span<const JointNumber>(joint.positions); });
}
inline std::span<const JointNumber> rate_numbers(JointKind kind) {
  return with_any_joint(kind, [](auto joint) { return std::span<const JointNumber>(joint.rates); });
}

/// Turns in some direction; slides in some direction, by a number that is a length.
inline bool turns(JointKind kind) {
  const std::span<const JointNumber> numbers = rate_numbers(kind);
  return std::any_of(numbers.begin(), numbers.end(), [](const JointNumber& x) { return !x.is_length; });
}
inline bool slides(JointKind kind) {
  const std::span<const JointNumber> numbers = rate_numbers(kind);
  return std::any_of(numbers.begin(), numbers.end(), [](const JointNumber& x) { return x.is_length; });
}

/// Where in its positions a unit quaternion begins; −1: there is none.
inline int quaternion_of(JointKind kind) {
  return with_any_joint(kind, [](auto joint) { return joint.quaternion; });
}

inline bool has_quaternion(JointKind kind) { return quaternion_of(kind) >= 0; }

/// Its author gives an axis.
inline bool has_axis(JointKind kind) {
  return with_any_joint(kind, [](auto joint) { return joint.has_axis; });
}

inline bool has_pitch(JointKind kind) {
  return with_any_joint(kind, [](auto joint) { return joint.has_pitch; });
}

/// One angle alone: whole turns lead back.
inline bool is_hinge(JointKind kind) { return has_one_degree(kind) && turns(kind) && !has_pitch(kind); }

/// See joint.hpp.
inline bool is_axial(JointKind kind) {
  return with_any_joint(kind, [](auto joint) { return joint.is_axial; });
}

inline bool closes_loops(JointKind kind) {
  return with_any_joint(kind, [](auto joint) { return joint.closes_loops; });
}

}  // namespace ulna
