// Drives: the torques of the joints as a function of time and state.
#pragma once

#include <functional>
#include <memory>
#include <variant>

#include "ulna/dynamics/method.hpp"
#include "ulna/simulate/cubic_spline.hpp"
#include "ulna/simulate/reference_motion.hpp"

namespace ulna {

using ReferencePointer = std::shared_ptr<const ReferenceMotion>;

// What a drive does, as data. Gains and torques have one number per velocity index.
struct FreeDrive {};
struct ConstantDrive {
  std::vector<double> torque{};
};
/// Torques on a spline through a table.
struct SplineDrive {
  std::shared_ptr<const CubicSpline> torque{};
};
/// The torques of inverse dynamics along a reference, played back without feedback.
struct PlaybackDrive {
  ReferencePointer reference{};
};
/// τ = kp (q_d − q) + kd (v_d − v), wolinski2015 eq. (32); with `gravity` the weight is held too.
struct PdDrive {
  ReferencePointer reference{};
  std::vector<double> kp{}, kd{};
  bool gravity = false;
};
/// τ = M (a_d + kd (v_d − v) + kp (q_d − q)) + C v + g.
struct ComputedTorqueDrive {
  ReferencePointer reference{};
  std::vector<double> kp{}, kd{};
};
/// The torques of inverse dynamics along a reference, and K (x_d − x) for what the state is off it.
struct StateFeedbackDrive {
  ReferencePointer reference{};
  std::vector<double> gains{};  // K, nv × 2 nv, column by column: of the positions, then of the velocities
};
/// A spring and a damper from a frame to where the reference has it, τ = Jᵀ F, and a PD drive to the reference's
/// posture in the motions that leave the frame alone (Khatib 1987: the dynamically consistent null space).
struct ImpedanceDrive {
  ReferencePointer reference{};
  Frame frame{};
  Vec3<double> stiffness{0, 0, 0}, turning_stiffness{0, 0, 0};  // N/m and N·m/rad, along the axes of the world
  Vec3<double> damping{0, 0, 0}, turning_damping{0, 0, 0};
  std::vector<double> kp{}, kd{};
  bool gravity = false;  // the weight is held too
};
/// Your own code: adds to tau. BDF then takes finite differences for its Jacobian.
struct UserDrive {
  using Function =
      std::function<void(double t, std::span<const double> q, std::span<const double> v, std::span<double> tau)>;
  Function function{};
};
using DriveSpec = std::variant<FreeDrive, ConstantDrive, SplineDrive, PlaybackDrive, PdDrive, ComputedTorqueDrive,
                               StateFeedbackDrive, ImpedanceDrive, UserDrive>;

/// The reference that a drive follows, or nullptr.
ReferencePointer reference_of(const DriveSpec& spec);

/// A drive over a scalar, with its workspace. The lanes of a pack may differ in everything but the kind.
template <Real T>
class Drive {
 public:
  virtual ~Drive() = default;
  /// Another drive of the same kind in one lane.
  virtual void set(int /*lane*/, const DriveSpec& /*spec*/) {}
  /// Before the times from … until are asked for in a lane: nothing jumps in between.
  virtual void enter(int /*lane*/, double /*from*/, double /*until*/) {}
  virtual void add(const T& t, std::span<const T> q, std::span<const T> v, std::span<T> tau) = 0;
};

/// Throws InputError for lists of the wrong length, and for playback and computed torque on a
/// robot that is not driven in all joints.
void expect_drive(const DriveSpec& spec, const Model& model);

/// Null for a user's code where T is not double. Throws as expect_drive does.
template <Real T>
std::unique_ptr<Drive<T>> make_drive(const DriveSpec& spec, const Model& model);
template <Real T>
std::unique_ptr<Drive<T>> make_drive(const DriveSpec& spec, Model&& model) = delete;

}  // namespace ulna
