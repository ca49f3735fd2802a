// Loads that depend on the state: springs, dampers and walls at frames of the robot, and a user's own.
#pragma once

#include <functional>
#include <span>
#include <variant>
#include <vector>

#include "ulna/kinematics/kinematics.hpp"

namespace ulna {

/// Pulls a frame's origin p towards a point of the world. Without a length it pulls in all directions alike,
/// F = stiffness (anchor − p) − damping ṗ; with one it acts along the line between the two points only.
struct FrameSpring {
  Frame frame{};
  Vec3<double> anchor{0, 0, 0};
  double stiffness = 0.0, length = 0.0, damping = 0.0;
};

/// Brakes a frame: a force −linear ṗ at its origin and a moment −angular ω.
struct FrameDamper {
  Frame frame{};
  double linear = 0.0, angular = 0.0;
};

/// A plane of the world that is solid behind: the normal points out of it. A frame's origin inside is pressed out with
/// F = max(0, stiffness·depth + damping·d(depth)/dt), and friction·F acts against sliding; it fades below the robot's
/// friction speed as friction in joints does.
struct FrameWall {
  Frame frame{};
  Vec3<double> point{0, 0, 0}, normal{0, 0, 1};
  double stiffness = 0.0, damping = 0.0, friction = 0.0;
};

using FrameLoad = std::variant<FrameSpring, FrameDamper, FrameWall>;

/// Takes wrenches at frames, and keeps them as wrenches at the mass centres of the bodies.
template <Real T>
class FrameWrenches {
 public:
  /// `kinematics` stands at the position of the robot; `bodies` has a wrench per body, which are added to.
  FrameWrenches(const Model& model, const Kinematics<T>& kinematics, std::span<Force<T>> bodies)
      : model_(model), kinematics_(kinematics), bodies_(bodies) {}

  /// A moment, and a force at the frame's origin, in world axes. What acts on the ground has no effect.
  void add(const Frame& frame, const Force<T>& wrench) {
    model_.expect_frame(frame);
    if (frame.body < 0) return;
    const Frame centre{"", frame.body, {Mat3<double>::identity(), model_.com(frame.body)}};
    const Vec3<T> arm = kinematics_.pose(frame).p - kinematics_.pose(centre).p;
    bodies_[static_cast<std::size_t>(frame.body)] += Force<T>{wrench.moment + cross(arm, wrench.force), wrench.force};
  }

 private:
  const Model& model_;
  const Kinematics<T>& kinematics_;
  std::span<Force<T>> bodies_;
};

/// Your own code: adds wrenches at frames. The kinematics has the poses and velocities of this state.
struct UserLoad {
  template <Real T>
  using Function = std::function<void(const T& t, std::span<const T> q, std::span<const T> v,
                                      const Kinematics<T>& kinematics, FrameWrenches<T>& wrenches)>;
  Function<double> function;
  /// The same over duals, for exact derivatives; without it BDF takes finite differences for its Jacobian.
  Function<Dual4> derivative{};
};

/// Throws InputError for numbers that are not finite or have the wrong sign, std::invalid_argument for frames that are
/// not the model's.
void expect_frame_load(const FrameLoad& load, const Model& model);

}  // namespace ulna
