// One step along a chain, from a link to the next, over constants of the scalar T: the lanes of a
// pack hold links of different segments of the chain (segment.hpp), so that their constants, and
// even their joints, differ from lane to lane.
#pragma once

#include <cstdint>

#include "ulna/model/joints/registry.hpp"

namespace ulna::articulated_body {

/// Of one-degree joints in general: turns about z by `turn`, slides along it by `slide`, per unit of q.
/// Revolute is (1, 0), prismatic (0, 1), screw (1, pitch).
template <class T>
struct TurnAndSlide {
  T turn, slide;
};

/// The joint kind of a step whose lanes are not all revolute nor all prismatic.
struct MixedOneDegree {
  static constexpr int nq = 1, nv = 1;

  template <Real T>
  ULNA_INLINE static void add_rates(const TurnAndSlide<T>& joint, const T* v, const T* a, Rates<T>& r) {
    const T slide_v = joint.slide * v[0], slide_a = joint.slide * a[0];
    const T turn_v = joint.turn * v[0], turn_a = joint.turn * a[0];
    Prismatic::add_rates({}, &slide_v, &slide_a, r);  // before the turn: uses the parent's ω
    Revolute::add_rates({}, &turn_v, &turn_a, r);
  }
  template <Real T>
  ULNA_INLINE static void add_motion(const TurnAndSlide<T>& joint, const T* v, Motion<T>& m) {
    m.angular.z += joint.turn * v[0];
    m.linear.z += joint.slide * v[0];
  }
  template <Real T>
  ULNA_INLINE static std::array<T, 1> project(const TurnAndSlide<T>& joint, const Force<T>& f) {
    return {joint.turn * f.moment.z + joint.slide * f.force.z};
  }
  template <Real T>
  ULNA_INLINE static std::array<Force<T>, 1> times(const TurnAndSlide<T>& joint, const ArticulatedInertia<T>& i) {
    return {joint.turn * Revolute::times({}, i)[0] + joint.slide * Prismatic::times({}, i)[0]};
  }
};

/// What stands where LinkPose expects the constant part of a pose: Rx(α) and p. A turn γ before it
/// makes a step a general one.
template <Real T>
struct StepPlacement {
  static constexpr bool has_gamma = false;
  static constexpr Turn<double> gamma{1.0, 0.0};
  Turn<T> alpha;
  T offset;  // θ = turn · q + offset
  TurnAndSlide<T> joint;
  Vec3<T> p;
};

template <Real T>
using StepPose = LinkPose<T, StepPlacement<T>>;

/// What the lanes of a step have in common.
struct StepKind {
  JointKind joint;       // of all lanes, unless they are mixed
  bool is_mixed;         // one-degree joints that differ from lane to lane, by their kinds or their pitches
  bool slides;           // a one-degree joint of some lane
  std::int32_t general;  // −1, or which of the poses that are more than Rx(α) Rz(θ)
};

/// Where a step's joint stands, for one state.
template <Real T>
struct StepState {
  Turn<T> theta;
  T slid;  // along z
};

template <Real T>
ULNA_INLINE StepPose<T> pose_of(const StepKind& kind, const StepPlacement<T>& at, const StepState<T>& state,
                                const Pose<T>* general) {
  if (kind.general >= 0) return {&at, &general[kind.general].R, state.theta, general[kind.general].p};
  if (!kind.slides) return {&at, nullptr, state.theta, at.p};
  return {&at, nullptr, state.theta, {at.p.x, at.p.y - state.slid * at.alpha.s, at.p.z + state.slid * at.alpha.c}};
}

/// Calls f with the kind's struct and the data it wants, as with_joint does for a body.
template <Real T, class F>
ULNA_INLINE void with_step_joint(const StepKind& kind, const StepPlacement<T>& at, const StepState<T>& state, F&& f) {
  if (kind.is_mixed) return f(MixedOneDegree{}, at.joint);
  with_joint(kind.joint, [&](auto joint) { f(joint, JointAt<T>{{}, state.theta}); });
}

}  // namespace ulna::articulated_body
